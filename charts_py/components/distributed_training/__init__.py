"""The component distributed-training."""
