"""Text that is not written in YAML without quotes."""

import re

LIKE_ANOTHER_TYPE = re.compile(
    r"^([-+]?[.0-9_][0-9a-fA-FoOxX._:+-]*|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)|[yYnN])$"
)
"""Strings that YAML 1.1, YAML 1.2 or a Go parser may read as a number or a boolean: they are
quoted, so that a commit such as 12e4567 stays a string. PyYAML would not quote an exponent without
a dot, nor `y` and `n`, which kubectl reads as booleans
(https://github.com/kubernetes-sigs/yaml, goyaml.v2/resolve.go)."""
