"""Argo CD's sync options that more than one component sets.

https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/
"""

from collections.abc import Mapping

SYNC_OPTIONS = "argocd.argoproj.io/sync-options"
"""Annotation of an object that has options of its own."""
CONFIRMED_REMOVAL: Mapping[str, str] = {SYNC_OPTIONS: "Delete=confirm,Prune=confirm"}
"""Annotation of a namespace whose deletion also deletes what cannot be applied again, so that a
line lost from a cluster file must not be enough. Its Application prunes last, and nothing in the
namespace is pruned before that is confirmed.
https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#resource-pruning-with-confirmation
"""
PRUNE_LAST = "PruneLast=true"
"""What a version drops is pruned once everything else is synced and healthy: an Application that is
pruned in an earlier wave blocks those after it until it is gone."""
KEEP_FOREIGN_FIELDS = "ClientSideApplyMigration=false"
"""For objects that others apply as well. By default Argo CD takes over the fields of a client-side
`kubectl apply`, and then removes those that its own manifest does not have."""
