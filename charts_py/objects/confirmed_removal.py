"""Objects that Argo CD removes only after a person has confirmed it."""

from collections.abc import Mapping

from charts_py.objects.sync_options import SYNC_OPTIONS

CONFIRMED_REMOVAL: Mapping[str, str] = {SYNC_OPTIONS: "Delete=confirm,Prune=confirm"}
"""Annotation of a namespace whose deletion also deletes what cannot be applied again, so that a
line lost from a cluster file must not be enough. Its Application prunes last, and nothing in the
namespace is pruned before that is confirmed.
https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#resource-pruning-with-confirmation
"""
