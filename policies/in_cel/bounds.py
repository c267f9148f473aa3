"""What is too much of a pod for rules to read it: `policies.limits` in CEL."""

from __future__ import annotations

from gpus.platform_names import LABEL_PREFIX
from policies.in_cel.literal import text
from policies.limits import (
    CONTAINER_LISTS,
    MAX_ADDED_EXPRESSIONS,
    MAX_CONTAINERS,
    MAX_EXPRESSIONS,
    MAX_NODE_SELECTOR_TERMS,
)

_CONTAINERS = " + ".join(f"size(object.spec.?{each}.orValue([]))" for each in CONTAINER_LISTS)
_EXPRESSIONS = "term.?matchExpressions.orValue([])"
_OURS = f"{_EXPRESSIONS}.filter(one, one.key.startsWith({text(f'{LABEL_PREFIX}/')}))"

IS_READ = (
    f"{_CONTAINERS} <= {MAX_CONTAINERS}"
    f" && size(variables.stated_terms) <= {MAX_NODE_SELECTOR_TERMS}"
    f" && variables.stated_terms.all(term, size({_EXPRESSIONS}) <= {MAX_EXPRESSIONS}"
    f" || size({_EXPRESSIONS}) - [{MAX_ADDED_EXPRESSIONS}, size({_OURS})].min()"
    f" <= {MAX_EXPRESSIONS})"
)
"""CEL for whether rules read a pod: not one that is too much, which is refused."""
