"""What repair is told, what it may do, and what keeps it to that."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from charts_py.components.gpu_repair.objects import access, limits, reboot_pod, settings
from charts_py.platform.platform import Platform
from gpus.xid import XidClass, xids_of
from repair.settings import Remedy, RepairAction
from tests.charts_py.fixture_types import PlatformWith

READS = {
    (None, "", "nodes", "list"),
    (None, "", "pods", "list"),
    ("default", "", "events", "create"),
}
ANNOTATES = (None, "", "nodes", "patch")
REBOOTS = {("gpuplane-reboot", "", "pods", verb) for verb in ("create", "delete", "list")}
OBSERVES = ("repair: act", "repair: observe")


def rights(platform: Platform) -> set[tuple[str | None, str, str, str]]:
    """Return namespace, group, resource and verb of each."""
    documents = list(access(platform))
    bound = {
        each["roleRef"]["name"]: each["metadata"].get("namespace")
        for each in documents
        if each["kind"].endswith("Binding")
    }
    return {
        (bound[role["metadata"]["name"]], group, resource, verb)
        for role in documents
        if role["kind"] == "ClusterRole"
        for rule in role["rules"]
        for group in rule["apiGroups"]
        for resource in rule["resources"]
        for verb in rule["verbs"]
    }


@pytest.mark.parametrize("name", ["repair-reboot", "repair-replace"])
def test_who_only_observes_can_change_nothing_and_needs_no_limit(
    name: str, platform_after: PlatformWith
) -> None:
    platform = platform_after(name, OBSERVES)
    assert (rights(platform), list(limits(platform))) == (READS, [])
    assert settings(platform).pod is None


def test_who_reboots_makes_pods_in_one_namespace_and_who_replaces_deletes_node_claims(
    platform_after: PlatformWith,
) -> None:
    deletes = (None, "karpenter.sh", "nodeclaims", "delete")
    assert rights(platform_after("repair-reboot")) == {*READS, ANNOTATES, *REBOOTS}
    assert rights(platform_after("repair-replace")) == {*READS, ANNOTATES, deletes}


@pytest.mark.parametrize(
    ("name", "resources"),
    [("repair-reboot", ["nodes", "pods"]), ("repair-replace", ["nodes", "nodeclaims"])],
)
def test_what_rights_allow_beyond_that_a_policy_refuses(
    name: str, resources: list[str], platform_after: PlatformWith
) -> None:
    policies = list(limits(platform_after(name)))
    named = [f"{each}.gpu-repair.gpuplane.io" for each in resources for _ in ("policy", "binding")]
    assert [each["metadata"]["name"] for each in policies] == named


def test_repair_is_told_what_the_cluster_file_says(platform_after: PlatformWith) -> None:
    reboot, replace = map(settings, map(platform_after, ("repair-reboot", "repair-replace")))
    assert (reboot.action, reboot.remedy, reboot.most) == (
        RepairAction.ACT,
        Remedy.REBOOT,
        {"h200": 2},
    )
    assert (replace.action, replace.remedy, replace.most, replace.pod) == (
        RepairAction.ACT,
        Remedy.REPLACE,
        {"h100": 2},
        None,
    )


def test_a_reboot_is_not_tried_for_what_it_cannot_cure_nor_soon_again_for_hardware(
    platform_after: PlatformWith,
) -> None:
    days = settings(platform_after("repair-reboot")).days
    hardware = {f"NvidiaXID{xid.code}Error" for xid in xids_of(XidClass.HARDWARE)}
    driver = {f"NvidiaXID{xid.code}Error" for xid in xids_of(XidClass.DRIVER)}
    tried = {**dict.fromkeys(hardware - {"NvidiaXID54Error"}, 30), **dict.fromkeys(driver, 1)}
    assert days == tried
    replaced = settings(platform_after("repair-replace")).days
    assert replaced == dict.fromkeys(hardware | driver, 1)


def test_the_pod_that_reboots_starts_on_any_node_and_holds_neither_token_nor_disk(
    platform_after: PlatformWith,
) -> None:
    spec: dict[str, Any] = reboot_pod(platform_after("repair-reboot"))["spec"]
    (container,) = spec["containers"]
    assert spec["tolerations"] == [{"operator": "Exists"}]
    assert (spec["restartPolicy"], spec["hostPID"]) == ("Never", True)
    assert (spec["automountServiceAccountToken"], "volumes" in spec) == (False, False)
    assert spec["imagePullSecrets"] == [{"name": "mirror"}]
    assert container["command"][:2] == ["/bin/sh", "-c"]


REBOOT = "exec /usr/bin/nsenter --target 1 --mount -- /bin/systemctl reboot"
BOOT_FILE = Path("/proc/sys/kernel/random/boot_id")
THIS_BOOT = BOOT_FILE.read_text("ascii").strip() if BOOT_FILE.exists() else ""
LATER, EARLIER = "99999999999", "1"


@pytest.mark.skipif(not THIS_BOOT, reason="Linux alone says in which boot it is")
@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"BOOT_ID": THIS_BOOT, "NOT_AFTER": LATER}, "reboots\n"),
        ({"BOOT_ID": THIS_BOOT, "NOT_AFTER": EARLIER}, "booted already, or too late\n"),
        ({"BOOT_ID": "another", "NOT_AFTER": LATER}, "booted already, or too late\n"),
        ({"BOOT_ID": THIS_BOOT, "NOT_AFTER": "x"}, "booted already, or too late\n"),
        ({"BOOT_ID": "", "NOT_AFTER": LATER}, "booted already, or too late\n"),
        ({"BOOT_ID": THIS_BOOT}, ""),
        ({"NOT_AFTER": LATER}, ""),
    ],
)
def test_a_node_reboots_only_in_the_boot_and_the_minutes_that_a_round_says(
    variables: dict[str, str], said: str, platform_after: PlatformWith
) -> None:
    (container,) = reboot_pod(platform_after("repair-reboot"))["spec"]["containers"]
    shell, option, script = container["command"]
    assert script.count(REBOOT) == 1
    command = [shell, option, script.replace(REBOOT, "echo reboots; exit")]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode == 0) == (said, bool(said))
