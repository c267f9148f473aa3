"""Objects that Argo CD removes only once a person has said so."""

from collections.abc import Mapping

CONFIRMED_REMOVAL: Mapping[str, str] = {
    "argocd.argoproj.io/sync-options": "Delete=confirm,Prune=confirm"
}
"""Annotation of a namespace whose deletion takes with it what cannot be applied again, so that a
line lost from a cluster file must not be enough.
https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#resource-pruning-with-confirmation
"""
