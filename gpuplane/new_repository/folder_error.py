"""Errors in where a new repository is to stand."""


class FolderError(Exception):
    """Why a repository cannot stand in a folder; the message says what is allowed."""
