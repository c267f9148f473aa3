"""Templates of Helm or Jinja in the place of the manifests that they render."""

import re
from dataclasses import dataclass
from enum import StrEnum

from charts_py.cluster_file.fault import Fault, Mark, Problem

_ACTION = re.compile(rb"\{\{-?\s*(?:[.$(]|/\*|(?:end|else)\b|[a-z]\w*\s+[^}\s])")
"""Begins an action (https://pkg.go.dev/text/template#hdr-Actions), unlike the name alone that
stands in the braces of Argo Workflows."""

_TAG = re.compile(rb"\{%-?\s*[a-z]|\{\{-?\s*[\w.]+\s*\|[^}]*\}\}")
"""Begins a statement of Jinja, or is an expression with a filter
(https://jinja.palletsprojects.com/en/stable/templates/)."""


class TemplateEngine(StrEnum):
    """What renders a template."""

    HELM = "Helm"
    JINJA = "Jinja"


@dataclass(frozen=True, slots=True)
class TemplateFault(Fault):
    """The fault of a file that holds a template."""

    engine: TemplateEngine


def template_fault(source: bytes, shown_as: str) -> TemplateFault | None:
    """Return the fault of a text that is no YAML since it is a template; None where it is none."""
    found, engine = _ACTION.search(source), TemplateEngine.HELM
    if found is None:
        found, engine = _TAG.search(source), TemplateEngine.JINJA
    if found is None:
        return None
    mark = Mark(shown_as, source.count(b"\n", 0, found.start()) + 1)
    example = (
        ", as in: helm template CHART | gpuplane admit -" if engine is TemplateEngine.HELM else ""
    )
    what = f"a template of {engine}, which is not a manifest"
    return TemplateFault(mark, Problem((), what, f"what it renders{example}"), engine)
