"""The component kueue-namespace."""
