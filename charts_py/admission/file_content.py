"""Reading a file that somebody names."""

from pathlib import Path


def file_content(path: Path) -> bytes:
    """Return what a file holds; raises OSError for what cannot be read, and for a device."""
    if path.is_char_device():
        raise OSError(f"{path}: is a device, which may never end; allowed: files and folders")
    return path.read_bytes()
