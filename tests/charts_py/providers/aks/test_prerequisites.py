"""What a cluster on AKS has before its first sync."""

from gpuplane.reference.prerequisites_page import known_prerequisites

PREREQUISITES = known_prerequisites().providers["aks"]
SUBJECTS = {
    "Azure Service Operator": "always",
    "A subnet": "always",
    "A user-assigned managed identity": "for pools with a `reservation`",
    "The feature `AKSInfinibandSupport`": "for pools that talk over InfiniBand",
    "LocalDNS off": "where `network.policyEngine` is `cilium`; AKS Automatic has LocalDNS on",
    "At most 250 nodes": "where `network.policyEngine` is `azure`",
}


def test_what_azure_asks_for_is_stated_with_when_it_does() -> None:
    stated = {one.name: one.needed for one in PREREQUISITES}
    found = {
        subject: needed
        for subject in SUBJECTS
        for name, needed in stated.items()
        if name.startswith(subject)
    }
    assert (found, len(stated)) == (SUBJECTS, len(SUBJECTS))
