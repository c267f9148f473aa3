from pathlib import Path

import pytest

from tests.gpuplane.conftest import Run
from tests.gpuplane.migration.conftest import CLUSTER

DIFF = """\
--- a/clusters/sample.yaml
+++ b/clusters/sample.yaml
@@ -6,4 +6,5 @@
 gke: {project: example, clusterName: inference, location: europe-west4}
 pools:
   a100: {instanceType: a2-ultragpu-8g, purpose: inference, nodes: {max: 2}}
-networkPolicyEngine: calico # ours
+network:
+  policyEngine: calico # ours
"""
AFTER = f"{CLUSTER}network:\n  policyEngine: calico # ours\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "clusters").mkdir()
    file = tmp_path / "clusters" / "sample.yaml"
    file.write_text(f"{CLUSTER}networkPolicyEngine: calico # ours\n", encoding="utf-8")
    return file


def test_files_are_migrated_once(in_repository: Run, file: Path) -> None:
    done = "files: 1 migrated; what else is new: docs/upgrading.md\n"
    assert in_repository.printed("migrate") == DIFF + done
    assert file.read_text(encoding="utf-8") == AFTER
    done = "nothing to migrate; what else is new: docs/upgrading.md\n"
    assert in_repository.printed("migrate", "sample") == done


def test_a_check_writes_nothing(in_repository: Run, file: Path) -> None:
    before = file.read_bytes()
    said = "files: 1 to be migrated; run gpuplane migrate\n"
    assert in_repository.ended("migrate", "--check") == (1, DIFF, said)
    assert file.read_bytes() == before
    in_repository("migrate")
    assert in_repository("migrate", "--check").exit_code == 0


@pytest.mark.parametrize("arguments", [(), ("--check",)], ids=len)
def test_what_a_person_has_to_decide_is_a_fault(
    in_repository: Run, file: Path, arguments: tuple[str, ...]
) -> None:
    text = f"{CLUSTER}network: {{policyEngine: calico}}\nnetworkPolicyEngine: calico\n"
    file.write_text(text, encoding="utf-8")
    assert in_repository.refused("migrate", *arguments) == (
        f"{file}:10: networkPolicyEngine: has moved to network.policyEngine; line 9 states that "
        "as well; allowed: one of the two\n"
    )
    assert file.read_text(encoding="utf-8") == text


def test_what_is_wrong_besides_is_told_beside_what_is_migrated(
    in_repository: Run, file: Path
) -> None:
    before = f"networkPolicyEngine: calico\n{CLUSTER.replace('max: 2', 'max: 2.5')}"
    file.write_text(before, encoding="utf-8")
    fault = "pools.a100.nodes.max: 2.5 is a number; allowed: a whole number, at least 1, at most"
    checked = in_repository("migrate", "--check")
    said = f"files: 1 to be migrated; run gpuplane migrate\n{file}:9: {fault} 100000\n"
    assert (checked.exit_code, checked.stderr) == (2, said)
    assert file.read_text(encoding="utf-8") == before
    result = in_repository("migrate")
    done = "files: 1 migrated; what else is new: docs/upgrading.md\n"
    assert (result.exit_code, result.stdout) == (2, f"{checked.stdout}{done}")
    assert result.stderr == f"{file}:10: {fault} 100000\n"
    for arguments in (("migrate",), ("migrate", "--check")):
        assert in_repository.refused(*arguments) == result.stderr


def test_what_clusters_share_is_migrated_where_there_is_no_cluster(
    in_repository: Run, file: Path
) -> None:
    fleet = file.replace(file.with_name("fleet.yaml"))
    fleet.write_text("networkPolicyEngine: calico\n", encoding="utf-8")
    result = in_repository("migrate")
    assert (result.exit_code, result.stderr) == (0, "")
    assert fleet.read_text(encoding="utf-8") == "network:\n  policyEngine: calico\n"
    nothing = in_repository("migrate", "--check")
    assert (nothing.exit_code, nothing.stderr) == (0, "")
