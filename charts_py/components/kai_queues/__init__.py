"""The component kai-queues."""
