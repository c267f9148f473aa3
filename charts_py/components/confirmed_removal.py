"""Objects that Argo CD removes only once a person has said so."""

from collections.abc import Mapping

_SYNC_OPTIONS = "argocd.argoproj.io/sync-options"
_LAST = "PruneLast=true"

CONFIRMED_REMOVAL: Mapping[str, str] = {_SYNC_OPTIONS: f"Delete=confirm,Prune=confirm,{_LAST}"}
"""Annotation of a namespace whose deletion takes with it what cannot be applied again, so that a
line lost from a cluster file must not be enough. It is pruned last, so that nothing waits with it.
https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#resource-pruning-with-confirmation
"""

REMOVED_LAST: Mapping[str, str] = {_SYNC_OPTIONS: _LAST}
"""Annotation of an Application that has such a namespace: one that is pruned in an earlier wave
holds those after it until it is gone, and its whole sync with them.
https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#prune-last
"""
