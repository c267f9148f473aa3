from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "region: us-east-1\n",
            "region: us-east-1\nzone: a\n",
            (
                'sample.yaml:3: zone: unknown field "zone"; allowed: provider, region, '
                "kubernetes, version, live, gitops, eks, gke, aks, driver, pools, priorities, "
                "teams, policies, webhook, addons, extensions"
            ),
        ),
        (
            "eks",
            "purchase: reserved",
            "purchas: reserved",
            (
                'sample.yaml:16: pools.h100.purchas: unknown field "purchas"; allowed: '
                "instanceType, gpu, gpus, cpu, memory, purpose, nodes, purchase, reservation, "
                "sharing, zones, interconnect, maxPods, match; nearest: purchase"
            ),
        ),
        (
            "eks",
            "      users: [ml-research]",
            "      users: [ml-research]\n      user: [a]",
            (
                'sample.yaml:40: teams.research.members.user: unknown field "user"; allowed: '
                "users, viewers, admins; nearest: users"
            ),
        ),
        (
            "eks",
            "{min: 2, max: 4}",
            "{min: 2, max: 4, mox: 3}",
            (
                'sample.yaml:15: pools.h100.nodes.mox: unknown field "mox"; allowed: min, max, '
                "warm; nearest: max"
            ),
        ),
    ],
)
def test_unknown_fields_are_refused(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "region: us-east-1\n",
            "regoin: us-east-1\n",
            (
                'sample.yaml:2: regoin: unknown field "regoin"; allowed: provider, region, '
                "kubernetes, version, live, gitops, eks, gke, aks, driver, pools, priorities, "
                "teams, policies, webhook, addons, extensions; nearest: region"
            ),
        ),
        (
            "eks",
            "    instanceType: p5.48xlarge\n",
            "    instancetype: p5.48xlarge\n",
            (
                'sample.yaml:13: pools.h100.instancetype: unknown field "instancetype"; '
                "allowed: instanceType, gpu, gpus, cpu, memory, purpose, nodes, purchase, "
                "reservation, sharing, zones, interconnect, maxPods, match; nearest: "
                "instanceType"
            ),
        ),
        (
            "eks",
            "    purpose: training\n    nodes",
            "    purpse: training\n    nodes",
            (
                'sample.yaml:14: pools.h100.purpse: unknown field "purpse"; allowed: '
                "instanceType, gpu, gpus, cpu, memory, purpose, nodes, purchase, reservation, "
                "sharing, zones, interconnect, maxPods, match; nearest: purpose, purchase, gpus"
            ),
        ),
        (
            "eks",
            "eks:\n",
            "ekss:\n",
            (
                'sample.yaml:8: ekss: unknown field "ekss"; allowed: provider, region, '
                "kubernetes, version, live, gitops, eks, gke, aks, driver, pools, priorities, "
                "teams, policies, webhook, addons, extensions; nearest: eks"
            ),
        ),
    ],
)
def test_a_misspelt_field_is_one_fault(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "provider: eks\n",
            "",
            "sample.yaml:1: provider: missing; allowed: eks, gke, aks, onprem",
        ),
        (
            "eks",
            "version: 1.1.0\nlive: 1.0.0\n",
            "",
            "sample.yaml:1: version: missing; allowed: text such as 1.2.0",
        ),
        (
            "eks",
            "  clusterName: training\n",
            "",
            (
                "sample.yaml:8: eks.clusterName: missing; allowed: text such as training, "
                "matching ^[a-zA-Z0-9][a-zA-Z0-9_-]{0,99}$"
            ),
        ),
        (
            "eks",
            "{min: 2, max: 4}",
            "{}",
            ("sample.yaml:15: pools.h100.nodes.max: missing; allowed: a whole number, at least 1"),
        ),
        (
            "eks",
            '    costCenter: "4711"\n',
            "",
            (
                "sample.yaml:35: teams.research.costCenter: missing; allowed: text such as "
                "ml-4711, matching ^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$"
            ),
        ),
        (
            "eks",
            "  training: {value: 100000, preemption: never}",
            "  training: {preemption: never}",
            (
                "sample.yaml:32: priorities.training.value: missing; allowed: a whole number, "
                "at least 0, at most 1000000000"
            ),
        ),
        (
            "eks",
            "          memory: 4Ti\n",
            "",
            (
                "sample.yaml:44: teams.research.namespaces.research.quota.memory: missing; "
                "allowed: text such as 512Gi, matching ^[0-9]+(k|M|G|T|P|Ki|Mi|Gi|Ti|Pi)?$"
            ),
        ),
        (
            "eks",
            "      reason: NCCL shares memory between pods\n",
            "",
            (
                "sample.yaml:68: policies.exceptions[0].reason: missing; allowed: text of at "
                "least 8 characters"
            ),
        ),
    ],
)
def test_required_fields_are_missed(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "provider: eks",
            "provider: ek",
            ('sample.yaml:1: provider: unknown "ek"; allowed: eks, gke, aks, onprem; nearest: eks'),
        ),
        (
            "eks",
            "provider: eks",
            "provider: 5",
            (
                'sample.yaml:1: provider: 5 is a number in YAML; quote it; allowed: "eks", '
                '"gke", "aks", "onprem"'
            ),
        ),
    ],
)
def test_a_provider_is_one_of_four(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            '"1.35"',
            "1.35",
            (
                "sample.yaml:3: kubernetes: 1.35 is a number in YAML; quote it; allowed: "
                '"1.33", "1.34", "1.35", "1.36"'
            ),
        ),
        (
            "eks",
            '"1.35"',
            '"1.32"',
            (
                'sample.yaml:3: kubernetes: unknown "1.32"; allowed: 1.33, 1.34, 1.35, 1.36; '
                "nearest: 1.36, 1.35, 1.34"
            ),
        ),
        (
            "eks",
            '"1.35"',
            '"1.35.2"',
            (
                'sample.yaml:3: kubernetes: unknown "1.35.2"; allowed: 1.33, 1.34, 1.35, 1.36; '
                "nearest: 1.35, 1.36, 1.34"
            ),
        ),
    ],
)
def test_a_kubernetes_version_is_supported_and_quoted(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "version: 1.1.0",
            "version: 1.1",
            (
                "sample.yaml:4: version: 1.1 is a number in YAML; quote it; allowed: text such "
                "as 1.2.0"
            ),
        ),
        (
            "eks",
            "version: 1.1.0",
            "version: v1.1.0",
            (
                'sample.yaml:4: version: "v1.1.0" is no semantic version; allowed: '
                "MAJOR.MINOR.PATCH[-PRERELEASE]"
            ),
        ),
        (
            "eks",
            "live: 1.0.0",
            "live: 1.0.0+build.7",
            (
                'sample.yaml:5: live: "1.0.0+build.7" carries build metadata; allowed: '
                "MAJOR.MINOR.PATCH[-PRERELEASE]"
            ),
        ),
    ],
)
def test_versions_are_semantic(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "{min: 2, max: 4}",
            "4",
            "sample.yaml:15: pools.h100.nodes: 4 is a number; allowed: a mapping with max",
        ),
        (
            "eks",
            "{min: 2, max: 4}",
            "{max: four}",
            (
                'sample.yaml:15: pools.h100.nodes.max: "four" is text; allowed: a whole number, '
                "at least 1"
            ),
        ),
        (
            "eks",
            "{min: 2, max: 4}",
            '{max: "4"}',
            (
                'sample.yaml:15: pools.h100.nodes.max: "4" is text; allowed: a whole number, at '
                "least 1"
            ),
        ),
        (
            "eks",
            "{min: 2, max: 4}",
            "{max: 4.0}",
            (
                "sample.yaml:15: pools.h100.nodes.max: 4.0 is a number; allowed: a whole "
                "number, at least 1"
            ),
        ),
        (
            "eks",
            "{min: 2, max: 4}",
            "{max: true}",
            (
                "sample.yaml:15: pools.h100.nodes.max: true is a truth value; allowed: a whole "
                "number, at least 1"
            ),
        ),
        (
            "eks",
            "{min: 2, max: 4}",
            "",
            ("sample.yaml:15: pools.h100.nodes: no value is given; allowed: a mapping with max"),
        ),
        (
            "eks",
            "zones: [us-east-1a]",
            "zones: us-east-1a",
            'sample.yaml:18: pools.h100.zones: "us-east-1a" is text; allowed: a list',
        ),
        (
            "eks",
            'costCenter: "4711"',
            "costCenter: 4711",
            (
                "sample.yaml:37: teams.research.costCenter: 4711 is a number in YAML; quote it; "
                "allowed: text such as ml-4711, matching "
                "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$"
            ),
        ),
        (
            "eks",
            'costCenter: "4711"',
            "costCenter: true",
            (
                "sample.yaml:37: teams.research.costCenter: true is a truth value in YAML; "
                "quote it; allowed: text such as ml-4711, matching "
                "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$"
            ),
        ),
        (
            "eks",
            "policies:\n",
            "addons: {gdrcopy: yes}\npolicies:\n",
            'sample.yaml:64: addons.gdrcopy: "yes" is text; allowed: true or false',
        ),
        (
            "eks",
            "  rules: {image-tag: warn}",
            "  sharedMemory: {fraction: half}",
            (
                'sample.yaml:65: policies.sharedMemory.fraction: "half" is text; allowed: a '
                "number, above 0, at most 1"
            ),
        ),
        (
            "eks",
            "2027-03-31",
            "2027-02-30",
            (
                'sample.yaml:72: policies.exceptions[0].expires: "2027-02-30" has the wrong '
                "form; allowed: a date as YYYY-MM-DD"
            ),
        ),
        (
            "eks",
            "2027-03-31",
            "20270331",
            (
                "sample.yaml:72: policies.exceptions[0].expires: 20270331 is a number; allowed: "
                "a date as YYYY-MM-DD"
            ),
        ),
        (
            "aks",
            '["1"]',
            "[1]",
            (
                "sample.yaml:16: pools.a100mig.zones[0]: 1 is a number in YAML; quote it; "
                "allowed: text"
            ),
        ),
    ],
)
def test_every_field_has_its_kind_of_value(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "aks",
            (
                "  t4:\n"
                "    instanceType: Standard_NC64as_T4_v3\n"
                "    purpose: notebooks\n"
                "    nodes: {max: 2}\n"
            ),
            "  t4: Standard_NC64as_T4_v3\n",
            (
                'sample.yaml:19: pools.t4: "Standard_NC64as_T4_v3" is text; allowed: a mapping '
                "with purpose, nodes"
            ),
        ),
        (
            "gke",
            (
                "gke:\n"
                "  project: example-inference\n"
                "  clusterName: inference\n"
                "  location: europe-west4\n"
            ),
            "gke: inference\n",
            (
                'sample.yaml:7: gke: "inference" is text; allowed: a mapping with project, '
                "clusterName, location"
            ),
        ),
        (
            "eks",
            "    members:\n      users: [search]\n",
            "    members: [search]\n",
            (
                "sample.yaml:53: teams.search.members: a list is given; allowed: a mapping with "
                "any of users, viewers, admins"
            ),
        ),
        (
            "eks",
            "  search:\n    owner: search@example.com\n",
            "  search: []\n  find:\n    owner: search@example.com\n",
            (
                "sample.yaml:50: teams.search: a list is given; allowed: a mapping with owner, "
                "costCenter, members, priorities, namespaces"
            ),
        ),
        (
            "eks",
            "      mig: {1g.10gb: 2, 2g.20gb: 1, 3g.40gb: 1}",
            "      mig: 1g.10gb",
            ('sample.yaml:24: pools.a100-mig.sharing.mig: "1g.10gb" is text; allowed: a mapping'),
        ),
        (
            "eks",
            "policies:\n",
            "addons: [gdrcopy]\npolicies:\n",
            (
                "sample.yaml:64: addons: a list is given; allowed: a mapping with any of "
                "monitoring, gdrcopy, gpudirectStorage, efaDevicePlugin"
            ),
        ),
    ],
)
def test_wrong_nesting_is_one_fault(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "{min: 2, max: 4}",
            "{min: -1, max: 0}",
            (
                "sample.yaml:15: pools.h100.nodes.max: 0 is out of bounds; allowed: a whole "
                "number, at least 1\n"
                "sample.yaml:15: pools.h100.nodes.min: -1 is out of bounds; allowed: a whole "
                "number, at least 0"
            ),
        ),
        (
            "eks",
            "{value: 100}",
            "{value: 1000000001}",
            (
                "sample.yaml:33: priorities.batch.value: 1000000001 is out of bounds; allowed: "
                "a whole number, at least 0, at most 1000000000"
            ),
        ),
        (
            "eks",
            "          cpu: 500",
            "          cpu: 0",
            (
                "sample.yaml:46: teams.research.namespaces.research.quota.cpu: 0 is out of "
                "bounds; allowed: a whole number, at least 1"
            ),
        ),
        (
            "eks",
            "a10g: 16}",
            "a10g: -1}",
            (
                "sample.yaml:45: teams.research.namespaces.research.quota.gpus.a10g: -1 is out "
                "of bounds; allowed: a whole number, at least 0"
            ),
        ),
        (
            "eks",
            "  rules: {image-tag: warn}",
            "  sharedMemory: {fraction: 1.5}",
            (
                "sample.yaml:65: policies.sharedMemory.fraction: 1.5 is out of bounds; allowed: "
                "a number, above 0, at most 1"
            ),
        ),
    ],
)
def test_numbers_have_bounds(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "region: us-east-1",
            'region: ""',
            "sample.yaml:2: region: empty; allowed: text of at least 1 character",
        ),
        (
            "eks",
            "[training, batch]",
            "[]",
            (
                "sample.yaml:40: teams.research.priorities: empty; allowed: a list of at least "
                "1 item"
            ),
        ),
        (
            "eks",
            "{h100: 24, a10g: 16}",
            "{}",
            (
                "sample.yaml:45: teams.research.namespaces.research.quota.gpus: empty; allowed: "
                "a mapping of at least 1 entry"
            ),
        ),
        (
            "aks",
            (
                "  a100mig:\n"
                "    instanceType: Standard_NC96ads_A100_v4\n"
                "    purpose: inference\n"
                "    nodes: {max: 2}\n"
                '    zones: ["1"]\n'
                "    sharing:\n"
                "      mig: {1g.10gb: 7}\n"
                "  t4:\n"
                "    instanceType: Standard_NC64as_T4_v3\n"
                "    purpose: notebooks\n"
                "    nodes: {max: 2}\n"
            ),
            "  {}\n",
            "sample.yaml:11: pools: empty; allowed: a mapping of at least 1 entry",
        ),
        (
            "eks",
            "NCCL shares memory between pods",
            "yes",
            (
                'sample.yaml:70: policies.exceptions[0].reason: "yes" is too short; allowed: '
                "text of at least 8 characters"
            ),
        ),
    ],
)
def test_nothing_that_must_be_there_is_empty(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "[training, batch]",
            "[training, batch, batch]",
            (
                "sample.yaml:40: teams.research.priorities: named more than once: batch; "
                "allowed: each once"
            ),
        ),
        (
            "eks",
            "[us-east-1a]",
            "[us-east-1a, us-east-1a]",
            (
                "sample.yaml:18: pools.h100.zones: named more than once: us-east-1a; allowed: "
                "each once"
            ),
        ),
        (
            "eks",
            "[ml-research]",
            "[ml-research, ml-research]",
            (
                "sample.yaml:39: teams.research.members.users: named more than once: "
                "ml-research; allowed: each once"
            ),
        ),
    ],
)
def test_names_of_a_list_stand_once_each(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "owner: search@example.com",
            "owner: search",
            (
                'sample.yaml:51: teams.search.owner: "search" has the wrong form; allowed: text '
                "such as ml-platform@example.com, matching ^[^@\\s]+@[^@\\s]+$"
            ),
        ),
        (
            "eks",
            'costCenter: "4711"',
            "costCenter: R&D",
            (
                'sample.yaml:37: teams.research.costCenter: "R&D" has the wrong form; allowed: '
                "text such as ml-4711, matching ^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$"
            ),
        ),
        (
            "eks",
            "https://github.com/example/gpu-platform.git",
            "github.com/example/gpu-platform",
            (
                'sample.yaml:7: gitops.repository: "github.com/example/gpu-platform" has the '
                "wrong form; allowed: text such as https://github.com/example/gpu-platform.git, "
                "matching ^(https://|ssh://|git@|file:///)\\S+$"
            ),
        ),
        (
            "eks",
            "clusterName: training",
            'clusterName: "-"',
            (
                'sample.yaml:9: eks.clusterName: "-" has the wrong form; allowed: text such as '
                "training, matching ^[a-zA-Z0-9][a-zA-Z0-9_-]{0,99}$"
            ),
        ),
        (
            "eks",
            "nodeRole: training-gpu-nodes",
            "nodeRole: arn:aws:iam::1:role/a",
            (
                'sample.yaml:10: eks.nodeRole: "arn:aws:iam::1:role/a" has the wrong form; '
                "allowed: text such as training-gpu-nodes, matching ^[A-Za-z0-9_+=,.@-]{1,64}$"
            ),
        ),
        (
            "gke",
            "project: example-inference",
            "project: Example",
            (
                'sample.yaml:8: gke.project: "Example" has the wrong form; allowed: text such '
                "as example-inference, matching ^[a-z][a-z0-9-]{4,28}[a-z0-9]$"
            ),
        ),
        (
            "aks",
            "subscription: 00000000-0000-0000-0000-000000000000",
            "subscription: production",
            (
                'sample.yaml:8: aks.subscription: "production" has the wrong form; allowed: '
                "text such as 00000000-0000-0000-0000-000000000000, matching "
                "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
            ),
        ),
        (
            "onprem",
            "version: 595.91.07",
            "version: latest",
            (
                'sample.yaml:9: driver.version: "latest" has the wrong form; allowed: text such '
                "as 595.91.07, matching ^[0-9]+(\\.[0-9]+){1,2}$"
            ),
        ),
        (
            "eks",
            "policies:\n",
            "addons:\n  monitoring: {interval: 15}\npolicies:\n",
            (
                "sample.yaml:65: addons.monitoring.interval: 15 is a number in YAML; quote it; "
                "allowed: text such as 15s, matching ^[1-9][0-9]*(s|m)$"
            ),
        ),
        (
            "eks",
            "policies:\n",
            "addons:\n  monitoring: {interval: 0s}\npolicies:\n",
            (
                'sample.yaml:65: addons.monitoring.interval: "0s" has the wrong form; allowed: '
                "text such as 15s, matching ^[1-9][0-9]*(s|m)$"
            ),
        ),
    ],
)
def test_text_has_its_form(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "    purpose: notebooks",
            "    purpose: notebook",
            (
                'sample.yaml:27: pools.a10g.purpose: unknown "notebook"; allowed: training, '
                "inference, batch, notebooks; nearest: notebooks"
            ),
        ),
        (
            "eks",
            "purchase: reserved\n    reservation: cr-0123456789abcdef0",
            "purchase: ondemand",
            (
                'sample.yaml:16: pools.h100.purchase: unknown "ondemand"; allowed: reserved, '
                "on-demand, spot; nearest: on-demand"
            ),
        ),
        (
            "eks",
            "preemption: never",
            "preemption: no",
            ('sample.yaml:32: priorities.training.preemption: unknown "no"; allowed: lower, never'),
        ),
        (
            "eks",
            "        egress: [10.20.0.0/16]",
            "        podSecurity: strict",
            (
                "sample.yaml:49: teams.research.namespaces.research.podSecurity: unknown "
                '"strict"; allowed: restricted, baseline, privileged; nearest: restricted'
            ),
        ),
        (
            "eks",
            "image-tag: warn",
            "image-tag: loud",
            (
                'sample.yaml:65: policies.rules.image-tag: unknown "loud"; allowed: off, audit, '
                "warn, enforce"
            ),
        ),
        (
            "eks",
            "zones: [us-east-1a]",
            "interconnect: infiniban",
            (
                'sample.yaml:18: pools.h100.interconnect: unknown "infiniban"; allowed: '
                "ethernet, efa, gpudirect-tcpx, gpudirect-tcpxo, roce, infiniband; nearest: "
                "infiniband"
            ),
        ),
    ],
)
def test_enumerations_name_what_they_hold(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault
