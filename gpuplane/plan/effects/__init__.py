"""The rows that say what changes do, in tables, and the functions that they name."""
