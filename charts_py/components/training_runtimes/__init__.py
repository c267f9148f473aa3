"""The component training-runtimes."""
