"""The components of a platform, a folder each, behind `charts_py.components.definition`."""
