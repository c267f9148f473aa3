"""The component compute-domains."""
