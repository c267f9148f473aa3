"""Findings that are fixed by the rules of the example clusters."""

import datetime as dt
import os
import re
from pathlib import Path

import pytest

from gpuplane.lint.finding import FileFindings
from gpuplane.lint.fixes import FixedFile, fixed_files, write_fixed
from gpuplane.lint.judged_file import Judgement, judge_file
from gpuplane.lint.lint_run import LintTerms
from gpuplane.lint.lint_source import LintSource
from gpuplane.lint.loaded_clusters import loaded_clusters
from gpuplane.lint.report import RuleSelection

CLUSTERS = Path(__file__).parents[3] / "clusters"
JOB = """\
# The nightly run.
apiVersion: batch/v1
kind: Job
metadata: {name: train, namespace: research-training}
spec:
    template:
        spec:
            restartPolicy: Never
            containers:
              # It needs two.
              - name: train
                image: 'registry.example.com/research/train:1.0'   # pinned
                resources:
                    limits: {nvidia.com/gpu: 2, cpu: 8, memory: 64Gi}
"""
USER = "            securityContext:\n                runAsUser: 1000\n"
SHARED_MEMORY = """\
--- job.yaml
+++ job.yaml
@@ -12,3 +12,11 @@
                 image: 'registry.example.com/research/train:1.0'   # pinned
                 resources:
                     limits: {nvidia.com/gpu: 2, cpu: 8, memory: 64Gi}
+                volumeMounts:
+                  - name: gpuplane-shm
+                    mountPath: /dev/shm
+            volumes:
+              - name: gpuplane-shm
+                emptyDir:
+                    medium: Memory
+                    sizeLimit: 32Gi
"""


def _fixed(
    text: str,
    *selected: str,
    clusters: tuple[str, ...] = ("training",),
    ignored: tuple[str, ...] = (),
    leads_out: bool = False,
) -> FixedFile:
    source = LintSource("job.yaml", text.encode(), leads_out=leads_out)
    terms = LintTerms(dt.date(2026, 1, 1))
    selection = RuleSelection(frozenset(selected), frozenset(ignored))
    (file,) = fixed_files([source], loaded_clusters(CLUSTERS, clusters), terms, selection)
    return file


def _rules(file: FixedFile) -> list[str]:
    return [finding.rule for finding in file.fixed]


def test_a_link_out_of_the_folder_that_is_named_writes_nothing_elsewhere() -> None:
    file = _fixed(JOB, "shared-memory", leads_out=True)
    assert not file.is_changed
    assert [each.why for each in file.unfixed] == [
        "it is outside of the folder that is named; name the file itself"
    ]


def test_a_fix_is_written_as_its_neighbours_are() -> None:
    assert "".join(_fixed(JOB, "shared-memory").diff()) == SHARED_MEMORY


def test_a_size_that_follows_from_a_memory_limit_waits_for_it() -> None:
    file = _fixed(JOB.replace(", memory: 64Gi", ""))
    assert ("tolerations" in _rules(file), b"sizeLimit" in file.after) == (True, False)
    assert [(each.finding.rule, each.why) for each in file.unfixed] == [
        ("shared-memory", "its size follows from the memory limit, which is missing")
    ]


def test_all_fixes_are_written_and_none_is_left() -> None:
    file = _fixed(JOB)
    assert (_rules(file), file.unfixed) == (
        [
            "granted-pools",
            "tolerations",
            "priority-class",
            "team-labels",
            "shared-memory",
            *(3 * ["pod-security"]),
        ],
        (),
    )
    assert _fixed(file.after.decode()) == FixedFile(LintSource("job.yaml", file.after), file.after)


POD_SECURITY = """\
--- job.yaml
+++ job.yaml
@@ -8,9 +8,17 @@
             restartPolicy: Never
             securityContext:
                 runAsUser: 1000
+                seccompProfile:
+                    type: RuntimeDefault
+                runAsNonRoot: true
             containers:
               # It needs two.
               - name: train
                 image: 'registry.example.com/research/train:1.0'   # pinned
                 resources:
                     limits: {nvidia.com/gpu: 2, cpu: 8, memory: 64Gi}
+                securityContext:
+                    allowPrivilegeEscalation: false
+                    capabilities:
+                        drop:
+                          - ALL
"""


def test_what_a_namespace_demands_is_written_and_root_is_left_to_the_author() -> None:
    assert "runAsNonRoot" not in _fixed(JOB, "pod-security").after.decode()
    with_user = JOB.replace("            containers", f"{USER}            containers")
    assert "".join(_fixed(with_user, "pod-security").diff()) == POD_SECURITY


def test_rules_that_are_ignored_fix_nothing_and_the_others_do_not_rely_on_them() -> None:
    metadata = "        metadata: {annotations: {gpuplane.io/nvlink: 'true'}}\n"
    annotated = JOB.replace("        spec:\n", f"{metadata}        spec:\n")
    file = _fixed(annotated, ignored=("granted-pools", "team-labels", "pod-security"))
    assert _rules(file) == ["node-affinity", "tolerations", "priority-class", "shared-memory"]
    assert b"gpuplane.io/pool" not in file.after


def test_what_clusters_would_fix_otherwise_is_left_to_the_author() -> None:
    file = _fixed(JOB.replace("research-training", "default"), clusters=("training", "onprem"))
    assert _rules(file) == ["tolerations", "shared-memory"]
    (unfixed,) = map(str, file.unfixed)
    assert unfixed == (
        "job.yaml:7:9: Job train: runtime-class is not fixed, since training would fix it "
        "differently"
    )


def test_each_document_and_each_item_of_a_list_is_fixed() -> None:
    items = "apiVersion: v1\nkind: List\nitems:\n- " + JOB.partition("\n")[2].replace("\n", "\n  ")
    text = f"{JOB}---\n# nothing\n---\n{items.rstrip()}\n"
    assert _fixed(text, "shared-memory").after.count(b"medium: Memory") == 2


REFUSED = JOB.replace("registry.example.com", "docker.io")


def test_nothing_is_written_into_an_object_that_keeps_an_error() -> None:
    file = _fixed(REFUSED)
    assert (file.is_changed, file.fixed) == (False, ())
    assert [str(one) for one in file.unfixed] == [
        f"job.yaml:{place}: Job train: {rule} is not fixed, since the object keeps the error "
        "image-registry"
        for place, rule in (
            ("7:9", "granted-pools"),
            ("7:9", "tolerations"),
            ("7:9", "priority-class"),
            ("6:5", "team-labels"),
            ("7:9", "shared-memory"),
            ("11:17", "pod-security"),
            ("11:17", "pod-security"),
            ("7:9", "pod-security"),
        )
    ]


TEMPLATE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: one, namespace: research-training}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}]}}}
---
"""
CLAIM = "resourceClaims: [{name: gpu, resourceClaimTemplateName: one}]"
CLAIMING = JOB.replace("restart", f"{CLAIM}\n            restart").replace(
    "nvidia.com/gpu: 2, ", ""
)


def test_an_error_by_another_object_of_the_file_keeps_fixes_out_as_well() -> None:
    file = _fixed(TEMPLATE + CLAIMING)
    assert (file.is_changed, file.fixed) == (False, ())
    assert {one.why for one in file.unfixed} == {"the object keeps the error workload-quota"}


def test_what_is_not_fixed_is_told_once_and_at_its_line_in_the_file_as_it_is() -> None:
    why = "is not fixed, since the object keeps the error image-registry"
    file = _fixed(f"{JOB}---\n{REFUSED}", "shared-memory", "pod-security", "image-registry")
    assert file.unfixed_in(file.source.content) == [
        f"job.yaml:22:9: Job train: shared-memory {why}",
        f"job.yaml:26:17: Job train: pod-security {why}",
        f"job.yaml:22:9: Job train: pod-security {why}",
    ]
    added = len(file.after.splitlines()) - len(file.source.content.splitlines())
    assert [line.split(":")[1] for line in file.unfixed_in(file.after)] == [
        str(line + added) for line in (22, 26, 22)
    ]


def test_the_other_objects_of_a_list_are_fixed_and_so_is_one_whose_error_is_meant() -> None:
    items = (each.partition("\n")[2].replace("\n", "\n  ").rstrip() for each in (REFUSED, JOB))
    listed = "apiVersion: v1\nkind: List\nitems:\n" + "".join(f"- {each}\n" for each in items)
    assert _fixed(listed).after.count(b"medium: Memory") == 1
    assert b"tolerations" in _fixed(REFUSED, ignored=("image-registry",)).after


def test_a_file_whose_lines_end_in_a_return_alone_stays_as_it_is() -> None:
    file = _fixed(JOB.replace("\n", "\r"))
    assert not file.is_changed
    assert {each.why for each in file.unfixed} == {"its lines end in a carriage return alone"}


def test_a_file_in_another_encoding_stays_as_it_is() -> None:
    source = LintSource("job.yaml", JOB.encode("utf-16"))
    terms, selection = LintTerms(dt.date(2026, 1, 1)), RuleSelection(frozenset({"shared-memory"}))
    (file,) = fixed_files([source], loaded_clusters(CLUSTERS, ("training",)), terms, selection)
    assert (file.is_changed, file.unfixed) == (False, ())


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("template:\n", "template: &template\n", "&template shares it with other places"),
        (
            "nvidia.com/gpu: 2",
            "nvidia.com/gpu: $GPUS",
            "the file has unfilled-placeholder on line 14",
        ),
        ("kind: Job\n", "kind: Job\nkind: Job\n", None),
        ("kind: Job\n", "kind: {{ .Values.kind }}\n", None),
    ],
)
def test_what_cannot_be_written_safely_stays_as_it_is(old: str, new: str, why: str | None) -> None:
    text = JOB.replace(old, new) + "copy: *template\n" * (why is not None and "&" in new)
    file = _fixed(text, "shared-memory", "gpu-count")
    assert (file.is_changed, {one.why for one in file.unfixed}) == (False, {why} - {None})


def test_a_document_is_judged_as_often_among_many_as_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[int] = []

    def counted(source: LintSource, judgement: Judgement) -> FileFindings:
        found = judge_file(source, judgement)
        judged.append(found.counts.objects)
        return found

    monkeypatch.setattr("gpuplane.lint.fixes.judge_file", counted)
    alone = _fixed(JOB)
    of_one = sum(judged)
    judged.clear()
    among_many = _fixed("---\n".join([JOB] * 5))
    assert sum(judged) == 5 * of_one
    assert among_many.after == b"---\n".join([alone.after] * 5)


def test_what_is_fixed_in_a_later_document_is_told_at_its_line_in_the_file() -> None:
    alone = _fixed(JOB, "shared-memory")
    (found,) = alone.fixed
    second = _fixed(f"{JOB}---\n{JOB}", "shared-memory").fixed[1]
    assert second.document == 1
    assert second.start.line == len(alone.after.splitlines()) + 1 + found.start.line


def test_documents_behind_a_byte_order_mark_are_fixed() -> None:
    text = f"{JOB}---\n{JOB}"
    marked = _fixed(f"\ufeff{text}", "shared-memory")
    assert marked.after.decode() == f"\ufeff{_fixed(text, 'shared-memory').after.decode()}"
    assert [one.document for one in marked.fixed] == [0, 1]


def test_a_diff_keeps_the_ends_of_lines_and_tells_of_a_missing_one() -> None:
    source = LintSource("a.yaml", b"a: 1\r\nb: 2")
    assert "".join(FixedFile(source, b"a: 1\r\nb: 2\r\nc: 3\r\n").diff()) == (
        "--- a.yaml\n"
        "+++ a.yaml\n"
        "@@ -1,2 +1,3 @@\n"
        " a: 1\r\n"
        "-b: 2\n"
        "\\ No newline at end of file\n"
        "+b: 2\r\n"
        "+c: 3\r\n"
    )


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("-a b.yaml", "-a b.yaml"),
        ("a\n+++ b\x1b.yaml", r'"a\012+++ b\033.yaml"'),
        ('"ö\\', r'"\"\303\266\\"'),
        (os.fsdecode(b"\xff"), r'"\377"'),
    ],
)
def test_no_name_of_a_file_ends_its_line_in_a_diff(name: str, written: str) -> None:
    first, second, *_ = FixedFile(LintSource(name, b"a: 1\n"), b"a: 2\n").diff()
    assert (first, second) == (f"--- {written}\n", f"+++ {written}\n")


def test_what_changes_is_written_and_nothing_else(tmp_path: Path) -> None:
    files = []
    for name, after in (("a.yaml", b"a: 1\n"), ("below/a.yaml", b"a: 2\n")):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"a: 1\n")
        files.append(FixedFile(LintSource(str(path), b"a: 1\n"), after))
    (tmp_path / "a.yaml").write_bytes(b"changed since\n")
    write_fixed(files)
    assert [Path(each.source.shown_as).read_bytes() for each in files] == [
        b"changed since\n",
        b"a: 2\n",
    ]


def test_what_somebody_else_wrote_meanwhile_is_not_lost(tmp_path: Path) -> None:
    paths = [tmp_path / "a.yaml", tmp_path / "b.yaml"]
    for path in paths:
        path.write_bytes(b"a: 1\n")
    files = [FixedFile(LintSource(str(path), b"a: 1\n"), b"a: 2\n") for path in paths]
    paths[1].write_bytes(b"a: 3\n")
    said = f"{paths[1]} has changed since it was read; nothing is changed"
    with pytest.raises(OSError, match=re.escape(said)):
        write_fixed(files)
    assert [path.read_bytes() for path in paths] == [b"a: 1\n", b"a: 3\n"]


def test_nothing_is_written_where_nothing_changes() -> None:
    write_fixed([FixedFile(LintSource("no-such-file.yaml", b""), b"")])
