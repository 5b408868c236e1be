"""The compiled search on towers with purchases, tools and choices."""
