"""What changes of Argo CD's own objects do: of Applications, projects and sets of Applications.

What becomes of the objects that an Application syncs is said of each of them.
"""

import re

from charts_py.argocd.application import CASCADE
from gpuplane.plan.fields import ChangedField, value_at
from gpuplane.plan.object_change import ObjectChange

APPLICATION = "Application.argoproj.io"

_OWN_FOLDER = re.compile(r"(^|/)dist(/|$)")
"""Where versions are rendered."""


def is_cascading(change: ObjectChange) -> bool:
    """Return whether what an Application synced is deleted with it."""
    return CASCADE in (value_at(change.document, "metadata", "finalizers") or ())


def is_of_others(change: ObjectChange) -> bool:
    """Return whether an Application syncs what stands elsewhere, and is no object of the plan."""
    source = value_at(change.document, "spec", "source") or {}
    return "chart" in source or not _OWN_FOLDER.search(source.get("path", ""))


def keeps_what_leaves(change: ObjectChange, _: ChangedField) -> bool:
    return (
        value_at(change.after, "spec", "syncPolicy", "applicationsSync")
        in ("create-only", "create-update")
        or value_at(change.after, "spec", "syncPolicy", "preserveResourcesOnDeletion") is True
    )


def keeps_all(change: ObjectChange) -> bool:
    return value_at(change.document, "spec", "syncPolicy", "preserveResourcesOnDeletion") is True
