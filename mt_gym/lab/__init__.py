"""Training and measuring networks; `torch` is imported by its modules alone."""
