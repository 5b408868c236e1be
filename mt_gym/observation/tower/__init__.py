"""Renders the facts that look at all visited floors of a tower."""
