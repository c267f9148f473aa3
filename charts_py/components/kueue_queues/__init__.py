"""The component queues."""
