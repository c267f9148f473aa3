import shutil
from pathlib import Path

import pytest

from tests.gpuplane.conftest import Run, fields
from tests.gpuplane.versions.conftest import CLUSTER, commit_all
from tests.gpuplane.versions.rendered_versions import record_files, record_of, record_source

OLD = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  namespace: gpu-operator
data:
  config.yaml: |
    version: v1
    replicas: 2
immutable: false
"""
NEW = OLD.replace("replicas: 2", "replicas: 4").replace("immutable: false", "immutable: true")
ADDED = """\
apiVersion: v1
kind: Namespace
metadata:
  name: gpu-operator
"""


@pytest.fixture(autouse=True)
def repository(tmp_path: Path) -> Path:
    (tmp_path / "clusters").mkdir()
    _write(tmp_path)
    files = {"1.0.0/sharing/a.yaml": OLD, "1.1.0/sharing/a.yaml": NEW, "1.1.0/space/b.yaml": ADDED}
    for path, text in files.items():
        file = tmp_path / "dist" / "sample" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        (file.parents[1] / "release.json").write_text(record_of("1.0.0"), encoding="utf-8")
        record_files(file.parents[1])
    live = tmp_path / "dist" / "sample" / "live-application.yaml"
    live.write_text("path: dist/sample/1.0.0/argocd\n", encoding="utf-8")
    record_source(tmp_path / "dist" / "sample" / "1.1.0", tmp_path / "clusters" / "sample.yaml")
    return tmp_path


def _write(folder: Path, gpus: int = 8) -> None:
    text = CLUSTER.format(version="1.1.0", live="1.0.0", gpus=gpus)
    (folder / "clusters" / "sample.yaml").write_text(text, encoding="utf-8")


def test_objects_and_fields_are_listed(in_repository: Run) -> None:
    assert (
        in_repository.printed("diff", "sample")
        == """\
sample: 1.0.0 -> 1.1.0: 1 added, 1 changed
+ space: Namespace gpu-operator
~ sharing: ConfigMap gpu-operator/settings
    data["config.yaml"]:
      @@ -1,2 +1,2 @@
       version: v1
      -replicas: 2
      +replicas: 4
    immutable: false -> true
"""
    )


def test_markdown_folds_the_details(in_repository: Run) -> None:
    assert (
        in_repository("diff", "sample", "-o", "markdown").stdout
        == """\
### sample: <code>1.0.0</code> → <code>1.1.0</code>

1 added, 1 changed.

<details><summary>1 added</summary>

- <code>space: Namespace gpu-operator</code>

</details>

<details><summary>changed: <code>sharing: ConfigMap gpu-operator/settings</code></summary>

```diff
  data["config.yaml"]:
@@ -1,2 +1,2 @@
 version: v1
-replicas: 2
+replicas: 4
- immutable: false
+ immutable: true
```

</details>

"""
    )


def test_json_holds_both_sides(in_repository: Run) -> None:
    settings = {"group": "", "kind": "ConfigMap", "namespace": "gpu-operator", "name": "settings"}
    space = {"group": "", "kind": "Namespace", "namespace": "", "name": "gpu-operator"}
    sources = ["version: v1\nreplicas: 2\n", "version: v1\nreplicas: 4\n"]
    changed = [
        {"path": 'data["config.yaml"]', "old": sources[0], "new": sources[1]},
        {"path": "immutable", "old": False, "new": True},
    ]
    report = in_repository.report("diff", "sample")
    (difference,) = report.pop("items")
    assert report == {"kind": "DifferenceList"}
    assert difference == {
        **fields("cluster: sample, subject: named, old: 1.0.0, new: 1.1.0, removed: []"),
        "renderedHere": False,
        "added": [{"component": "space", **space}],
        "changed": [{"component": "sharing", **settings, "fields": changed}],
    }


def test_a_difference_is_a_finding_where_asked(in_repository: Run) -> None:
    assert in_repository("diff", "sample", "--fail-on", "difference").exit_code == 1


def test_no_difference_is_none(in_repository: Run) -> None:
    said = in_repository.printed("diff", "sample", "1.1.0", "--fail-on", "difference")
    assert said == "sample: 1.1.0 -> 1.1.0: no change\n"


def test_a_base_outside_of_a_checkout_is_wrong_input(in_repository: Run, tmp_path: Path) -> None:
    said = f'{tmp_path}: not in a git checkout; the git reference "main" needs one\n'
    assert in_repository.refused("diff", "sample", "--base", "main") == said


EDITED = "sample is not rendered as clusters/ has it now: "


@pytest.mark.parametrize("named", [(), ("1.0.0",), ("1.0.0", "1.1.0")])
def test_a_file_that_was_edited_is_compared_as_it_renders(
    in_repository: Run, tmp_path: Path, named: tuple[str, ...]
) -> None:
    _write(tmp_path, gpus=16)
    first, second, *_ = in_repository.printed("diff", "sample", *named).splitlines()
    assert first == f"{EDITED}this is what gpuplane synth sample would change"
    assert second.startswith("sample: 1.0.0 -> 1.1.0: ")
    markdown = in_repository.printed("diff", "sample", *named, "-o", "markdown")
    assert markdown.startswith(f"**{first}**\n\n### sample: ")
    (item,) = in_repository.report("diff", "sample", *named)["items"]
    assert item["renderedHere"] is True


def test_where_the_old_version_is_older_than_its_file_that_is_warned_of(
    in_repository: Run, tmp_path: Path
) -> None:
    _write(tmp_path, gpus=16)
    done = in_repository("diff", "sample", "1.1.0", "1.0.0")
    assert done.stderr == f"warning: {EDITED}run gpuplane synth sample\n"
    assert done.stdout.startswith("sample: 1.1.0 -> 1.0.0: 1 changed, 1 removed\n")


def test_two_other_versions_are_compared_whatever_was_edited(
    in_repository: Run, tmp_path: Path
) -> None:
    (tmp_path / "clusters" / "sample.yaml").write_text("version: 1.2.0\n", encoding="utf-8")
    assert in_repository.printed("diff", "sample", "1.0.0", "1.1.0").startswith("sample: 1.0.0 -> ")


def test_with_a_base_all_clusters_are_compared_or_those_that_are_named(
    in_repository: Run, tmp_path: Path
) -> None:
    commit_all(tmp_path)
    folder, file = tmp_path / "dist" / "second", tmp_path / "clusters" / "second.yaml"
    shutil.copytree(tmp_path / "dist" / "sample", folder)
    shutil.copy(tmp_path / "clusters" / "sample.yaml", file)
    record_source(folder / "1.1.0", file)
    first = ("diff", "--base", "main")
    report = in_repository.report(*first)
    assert [(each["cluster"], each["old"]) for each in report["items"] if each["added"]] == [
        ("second", None),
        ("second", None),
    ]
    assert in_repository.report(*first, "sample", "second") == report
    assert "sample: 1.0.0 -> 1.1.0: " in in_repository.printed("diff", "second", "sample")
    message = "versions are of one cluster; name exactly one CLUSTER"
    assert message in in_repository.misused("diff", "second", "sample", "1.0.0")
