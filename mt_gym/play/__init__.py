"""Pure functions that act for the hero: assists, overrides, the heuristic."""
