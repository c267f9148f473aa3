"""Literals of CEL (https://github.com/google/cel-spec/blob/master/doc/langdef.md#values)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def text(value: str) -> str:
    """Return a string's literal."""
    return json.dumps(value)


def texts(values: Iterable[str]) -> str:
    """Return a list of strings, sorted, so that equal sets have equal literals."""
    return json.dumps(sorted(values))


def texts_in_order(values: Iterable[str]) -> str:
    """Return a list of strings, as they come."""
    return json.dumps(list(values))


def lines(members: Mapping[str, object]) -> str:
    """Return a map, a line each member, so that a diff shows which of them changed.

    The API server takes maps only whose values are all of one type
    (`HomogeneousAggregateLiterals` in
    https://github.com/kubernetes/kubernetes/blob/v1.37.1/staging/src/k8s.io/apiserver/pkg/cel/environment/base.go).
    """
    return json.dumps(members, indent=1, sort_keys=True)
