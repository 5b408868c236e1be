"""Facts that look at all visited floors of a tower together."""
