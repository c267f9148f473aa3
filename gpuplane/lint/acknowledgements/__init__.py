"""Findings that somebody has acknowledged, in a file that git keeps."""
