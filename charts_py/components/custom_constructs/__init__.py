"""The component custom-constructs."""
