"""The order in which Argo CD syncs the parts of a platform, and sync options of several of them.

https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/
"""

from collections.abc import Mapping
from enum import IntEnum

SYNC_OPTIONS = "argocd.argoproj.io/sync-options"
"""Annotation of an object that has options of its own."""
CONFIRMED_REMOVAL: Mapping[str, str] = {SYNC_OPTIONS: "Delete=confirm,Prune=confirm"}
"""Annotation of an object with which goes what nobody gets back by applying it again, so that a
line lost from a cluster file must not be enough: a namespace with its volumes, or a pool with its
nodes and all that runs there. Its Application prunes last, and prunes nothing before that is
confirmed.
https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#resource-pruning-with-confirmation
"""
PRUNE_LAST = "PruneLast=true"
"""What a version drops is pruned once everything else is synced and healthy: an Application that is
pruned in an earlier wave blocks those after it until it is gone."""
KEEP_FOREIGN_FIELDS = "ClientSideApplyMigration=false"
"""Sync option for objects that others apply as well. By default Argo CD takes over the fields of a
client-side `kubectl apply`, and then removes those that its own manifest does not have."""
SYNC_WAVE = "argocd.argoproj.io/sync-wave"
"""Annotation of an object with its wave among the objects that Argo CD syncs together."""


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
