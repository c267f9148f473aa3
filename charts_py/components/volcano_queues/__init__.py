"""The component volcano-queues."""
