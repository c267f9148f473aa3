"""The component lasting-namespaces."""
