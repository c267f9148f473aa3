"""Fields that cluster files had once, and what took their place."""

from collections.abc import Mapping

from charts_py.spec.fault import FieldPath

MOVED_FIELDS: Mapping[FieldPath, str] = {
    ("webhook", "enabled"): "a cluster without the webhook sets policies.admission to in-tree-only",
}
"""A remedy for each, as the end of a sentence."""
