"""The component namespaces."""
