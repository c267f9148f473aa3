"""The providers, a folder each, behind `charts_py.providers.definition`."""
