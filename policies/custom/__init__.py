"""Rules that a platform team writes in CEL into its cluster file."""
