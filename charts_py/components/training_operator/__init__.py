"""The component training-operator."""
