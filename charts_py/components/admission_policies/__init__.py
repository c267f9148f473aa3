"""The component admission-policies."""
