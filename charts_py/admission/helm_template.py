"""Templates of Helm in the place of the manifests that they render."""

import re

from charts_py.spec.fault import Fault, Mark, Problem

_ACTION = re.compile(rb"\{\{-?\s*(?:[.$(]|/\*|(?:end|else)\b|[a-z]\w*\s+[^}\s])")
"""Begins an action (https://pkg.go.dev/text/template#hdr-Actions), unlike the name alone that
stands in the braces of Argo Workflows."""


def template_fault(source: bytes, shown_as: str) -> Fault | None:
    """Return the fault of a text that is no YAML since it is a template; None where it is none."""
    found = _ACTION.search(source)
    if found is None:
        return None
    mark = Mark(shown_as, source.count(b"\n", 0, found.start()) + 1)
    allowed = "what it renders, as in: helm template CHART | gpuplane admit -"
    return Fault(mark, Problem((), "a template of Helm, which is no manifest", allowed))
