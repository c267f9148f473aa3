"""The component topograph."""
