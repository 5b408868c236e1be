"""The compiled batch environment: many copies of towers, stepped by one call."""
