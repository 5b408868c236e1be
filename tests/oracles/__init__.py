"""Slow, independent implementations that the tests compare the engine with."""
