"""The components of a platform, a module or a folder for each, behind their definitions."""
