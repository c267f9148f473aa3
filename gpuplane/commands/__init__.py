"""The commands, one per file; each imports what it needs when it runs, so that help is quick."""
