"""What a cluster on GKE has before its first sync."""

from gpuplane.reference.prerequisites_page import known_prerequisites

PREREQUISITES = known_prerequisites().providers["gke"]
_BY_CONFIG_CONNECTOR = "unless `gke.provisioner` is `compute-class`"
_LINKED = "for pools that talk over GPUDirect or RoCE"

SUBJECTS = {
    "A Standard cluster": "always",
    "Config Connector": _BY_CONFIG_CONNECTOR,
    "A cluster in no release channel": (
        "for pools with `nodes.queued`, whose nodes GKE does not upgrade"
    ),
    "Dataplane V2 with multi-networking": f"{_LINKED}, {_BY_CONFIG_CONNECTOR}",
    "Dataplane V2, GKE 1.34": f"{_LINKED}, where `gke.provisioner` is `compute-class`",
    "A workload policy": "for pools of A4X",
    "The annotation `cluster-autoscaler.kubernetes.io/safe-to-evict": (
        f"{_BY_CONFIG_CONNECTOR}, which leaves nodes of all purposes but inference alone until "
        "they are empty"
    ),
    "A range of pod addresses": "always",
    "Workload Identity Federation for GKE": "always",
}


def test_what_google_asks_for_is_stated_with_when_it_does() -> None:
    stated = {one.name: one.needed for one in PREREQUISITES}
    found = {
        subject: needed
        for subject in SUBJECTS
        for name, needed in stated.items()
        if name.startswith(subject)
    }
    assert (found, len(stated)) == (SUBJECTS, len(SUBJECTS))
