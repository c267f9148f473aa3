"""The component jobset."""
