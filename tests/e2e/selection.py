"""Which tests `make e2e` runs, which `make e2e-more`, and which both.

Files are named by their path below `tests/e2e/`, as `claims/test_quota.py`.
"""

from __future__ import annotations

USUAL = "e2e"
"""Marks what `make e2e` runs."""
MORE = "e2e_more"
"""Marks what only `make e2e-more` runs: a test, or its run on the oldest supported Kubernetes."""

_MORE = "more"
_ADMISSION_AND_SCHEDULING = ("claims", "control_plane", "webhook")
_OF_LATER_VERSIONS = ("claims/test_allocators.py",)
"""What the oldest supported Kubernetes does not have: extended resources by DRA (KEP-5004)."""


def is_more(file: str) -> bool:
    """Tell whether a file is of those that only `make e2e-more` runs."""
    return _folder(file) == _MORE


def runs_on_oldest_too(file: str) -> bool:
    """Tell whether `make e2e-more` runs a file of `make e2e` on the oldest supported Kubernetes."""
    return _folder(file) in _ADMISSION_AND_SCHEDULING and file not in _OF_LATER_VERSIONS


def _folder(file: str) -> str:
    return file.partition("/")[0]
