"""What a first sync would change."""

from pathlib import Path

import yaml

from gpuplane.adoption.first_sync import first_sync
from gpuplane.adoption.found_object import FoundObject
from gpuplane.versions.tree import read_tree

FOLDER = Path(__file__).parent / "first_sync"


def test_objects_are_new_changed_or_stay_as_they_are() -> None:
    held = yaml.safe_load_all((FOLDER / "held.yaml").read_bytes())
    found = [FoundObject(document, "the cluster") for document in held]
    assert list(first_sync(read_tree(FOLDER / "rendered"), found).lines("training")) == [
        "training, what a first sync changes: 1 added, 2 changed, 1 stay as they are",
        "+ team-vision: ResourceQuota vision/quota",
        "~ node-pools: NodePool gpu",
        '    - spec.taints[key=dedicated]: {"key": "dedicated", "effect": "NoSchedule"}',
        "~ team-vision: Namespace vision",
        '    + metadata.labels["gpuplane.io/team"]: "vision"',
        "= ResourceQuota vision/gpus",
    ]


def test_what_is_synced_already_does_not_change() -> None:
    assert list(first_sync({}, []).lines("training")) == [
        "training, what a first sync changes: no change"
    ]
