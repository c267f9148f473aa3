"""The component kueue-queues."""
