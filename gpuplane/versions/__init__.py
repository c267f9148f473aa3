"""Rendered versions in `dist/`: how they are read, written, checked and compared."""
