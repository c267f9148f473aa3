import pytest

from charts_py.cluster_file.fault import Mark
from gpuplane.admission.manifest_file import read_manifests
from gpuplane.lint.finding import LintFinding, LintSeverity
from gpuplane.lint.ignoring import FileContent, Ignoring, without_ignored
from gpuplane.lint.rule_names import rule_names

LIST = """\
apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: Pod
    metadata: {name: a}
  - kind: Pod
    apiVersion: v1
    metadata: {name: b}
"""
JOB = """\
apiVersion: batch/v1
kind: Job
spec:
  completions: 1
---
apiVersion: batch/v1
kind: Job
spec:
  completions: 1
"""


def _ignoring(text: str, *places: tuple[str, int, str]) -> Ignoring:
    """Return what is left of findings, each of a rule, a document and a JSON Pointer."""
    content = text.encode()
    read = read_manifests(content, "f.yaml").objects
    findings = [
        LintFinding(
            rule=rule,
            severity=LintSeverity.WARNING,
            start=Mark("f.yaml", read[document].span_of(pointer).line, 1),
            end=Mark("f.yaml", 1, 1),
            subject="Job a",
            document=document,
            pointer=pointer,
            message="It is wrong.",
            remedy="",
        )
        for rule, document, pointer in places
    ]
    names = rule_names(["no-latest"])
    return without_ignored(FileContent("f.yaml", content, read), findings, names)


def _told(left: Ignoring) -> list[str]:
    return [
        f"{each.start} {each.severity}: {each.message} {each.remedy}".rstrip()
        for each in left.findings
        if each.rule == "ignore-comment"
    ]


def _kept(left: Ignoring) -> list[tuple[str, int, str]]:
    return [
        (each.rule, each.document, each.pointer)
        for each in left.findings
        if each.rule != "ignore-comment"
    ]


FIRST = ("job-ttl", 0, "/spec/completions")
SECOND = ("job-ttl", 1, "/spec/completions")
OTHER = ("no-latest", 0, "/spec")


@pytest.mark.parametrize(
    ("line", "comment", "kept"),
    [
        (4, " # gpuplane: ignore[job-ttl] meant", [SECOND, OTHER]),
        (3, "\n  # gpuplane: ignore[job-ttl] meant", [SECOND, OTHER]),
        (3, " # gpuplane: ignore[job-ttl, no-latest] meant", [FIRST, SECOND]),
        (1, " # gpuplane: ignore[job-ttl, no-latest] meant", [SECOND]),
        (5, " # gpuplane: ignore[job-ttl] meant", [FIRST, OTHER]),
        (0, "# gpuplane: ignore[job-ttl] meant\n", [SECOND, OTHER]),
        (0, "# gpuplane: ignore-file[job-ttl] meant\n", [OTHER]),
    ],
)
def test_a_comment_leaves_out_what_it_is_about(
    line: int, comment: str, kept: list[tuple[str, int, str]]
) -> None:
    lines = JOB.splitlines()
    lines[line - 1] += comment
    text = "\n".join(lines) if line else comment + JOB
    left = _ignoring(text, FIRST, SECOND, OTHER)
    assert _kept(left) == kept
    assert sum(left.ignored.values()) == 3 - len(kept)


def test_a_comment_on_an_item_of_a_list_is_about_that_item() -> None:
    text = LIST.replace("  - kind: Pod", "  # gpuplane: ignore[image-tag] meant\n  - kind: Pod")
    places = [("image-tag", 0, "/items/0/spec"), ("image-tag", 0, "/items/1/spec")]
    assert _kept(_ignoring(text, *places)) == places[:1]


FORM = "# gpuplane: ignore[RULE, ...] REASON"


@pytest.mark.parametrize(
    ("comment", "told"),
    [
        (
            "ignore[job-ttl]",
            [f"warning: The comment gives no reason, so it ignores nothing: {FORM}."],
        ),
        ("ignore meant", [f"warning: The comment names no rule; allowed: {FORM}."]),
        (
            "ignore[job-tll, job-ttl] meant",
            ['warning: There is no rule "job-tll"; nearest: job-ttl.'],
        ),
        (
            "ingore[job-ttl] meant",
            [
                (
                    'warning: The comment begins with "ingore"; allowed: ignore, ignore-file; '
                    "nearest: ignore."
                )
            ],
        ),
        (
            "ignore-file[job-ttl] meant",
            ["warning: ignore-file stands below the first field; allowed: at the top of the file."],
        ),
        (
            "ignore[job-ttl, image-tag] meant",
            ["warning: The comment ignores image-tag, which finds nothing there. Leave that out."],
        ),
        (
            "ignore[unreadable-file] meant",
            ["warning: unreadable-file cannot be ignored."],
        ),
    ],
)
def test_what_is_wrong_with_a_comment_is_told(comment: str, told: list[str]) -> None:
    text = JOB.replace("  completions: 1\n---", f"  completions: 1 # gpuplane: {comment}\n---")
    found = _ignoring(text, FIRST)
    assert _told(found) == [f"f.yaml:4:18 {each}" for each in told]
