"""The component webhook-configuration."""
