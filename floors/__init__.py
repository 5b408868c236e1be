"""The maps that are shipped with the package: data only."""
