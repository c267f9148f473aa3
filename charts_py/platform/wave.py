"""The order in which Argo CD syncs the parts of a platform."""

from enum import IntEnum

SYNC_WAVE = "argocd.argoproj.io/sync-wave"
"""Annotation of what Argo CD syncs: its wave, among what is synced with it."""


class Wave(IntEnum):
    """When a component is synced: a wave starts once the one before is healthy.

    https://argo-cd.readthedocs.io/en/stable/user-guide/sync-waves/
    """

    BEFORE_ALL = -2
    """Settings of how Argo CD syncs Applications, and judges their health."""
    LASTING_NAMESPACES = -1
    """They may have been among `NAMESPACES` before: Argo CD prunes an object only where the
    Application that gives it up was the last to apply it."""
    NAMESPACES = 0
    CLASSES = 1
    CONFIGURATION = 2
    OPERATORS = 3
    NODES = 4
    NODE_FEATURES = 5
    TEAMS = 6
    ADMISSION = 7
    ADMISSION_POLICIES = 8
    """They judge pods before a webhook stops doing so, which is removed in the next wave."""
    ADMISSION_CONFIGURATION = 9
    EXTENSIONS = 10
