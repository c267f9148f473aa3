"""The component volcano."""
