"""The providers, a folder each, behind `charts_py.platform.provider_definition`."""
