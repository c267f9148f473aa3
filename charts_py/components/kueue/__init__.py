"""The component kueue."""
