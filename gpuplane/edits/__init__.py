"""Changing values in the text of YAML and JSON files, and nothing else of it.

Comments, order, quotes, indentation, anchors and line endings stay. A round trip by ruamel.yaml
would not keep them: without any change of a value it aligns mixed indentation and flow style anew.
"""
