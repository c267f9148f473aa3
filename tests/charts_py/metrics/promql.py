"""Which metrics an expression in PromQL reads.

The grammar: https://prometheus.io/docs/prometheus/latest/querying/basics/. What holds no metric is
taken out piece by piece; names that remain, and are no function and no keyword, are metrics.
"""

import re

_WITHOUT_METRICS = (
    r'"(?:\\.|[^"\\])*"|' + r"'(?:\\.|[^'\\])*'|`[^`]*`",  # strings, which may hold what follows
    r"#.*",  # comments
    r"\{[^}]*\}",  # matchers
    r"\[[^]]*\]",  # ranges and subqueries
    r"\$\w+",  # variables of a dashboard
    r"\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)",  # labels
    r"\b(?:\d[\w.]*)",  # numbers and durations
)
_NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
_KEYWORDS = frozenset(
    {"and", "or", "unless", "bool", "offset", "atan2", "inf", "nan"}
    | {"by", "without", "on", "ignoring", "group_left", "group_right"}
)


def read_metrics(expression: str) -> set[str]:
    for pattern in _WITHOUT_METRICS:
        expression = re.sub(pattern, " ", expression)
    return {
        found[0]
        for found in _NAME.finditer(expression)
        if found[0].lower() not in _KEYWORDS and not _is_called(expression, found.end())
    }


def _is_called(expression: str, end: int) -> bool:
    """Tell whether a name that ends there is that of a function or an aggregation."""
    called = re.compile(r"\s*(?:\(|(?:by|without)\b)", re.IGNORECASE)
    return called.match(expression, end) is not None
