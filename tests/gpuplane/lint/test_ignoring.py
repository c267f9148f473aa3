import pytest

from charts_py.cluster_file.fault import Mark
from gpuplane.admission.manifest_file import read_manifests
from gpuplane.lint.finding import FileFindings, LintFinding, LintSeverity
from gpuplane.lint.ignoring import YamlComment, marked_comments, without_ignored
from gpuplane.lint.lint_source import LintSource
from gpuplane.lint.registry import RuleNames
from tests.rows import rows_beside

each_row = rows_beside(__file__, "ignoring.yaml")

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


def _ignoring(text: str, *places: tuple[str, int, str]) -> FileFindings:
    """Return what is left of findings, each of a rule, a document and a JSON Pointer."""
    content = text.encode()
    read = read_manifests(content, "f.yaml").objects
    findings = tuple(
        LintFinding(
            rule=rule,
            severity=LintSeverity.WARNING,
            start=Mark("f.yaml", read[document].marks_of(pointer)[0].line, 1),
            end=Mark("f.yaml", 1, 1),
            message="It is wrong.",
            document=document,
            pointer=pointer,
        )
        for rule, document, pointer in places
    )
    source, names = LintSource("f.yaml", content), RuleNames(["no-latest"])
    return without_ignored(source, read, FileFindings(findings), names)


def _told(left: FileFindings) -> list[str]:
    return [
        f"{each.start} {each.severity}: {each.message} {each.remedy}".rstrip()
        for each in left.findings
        if each.rule == "ignore-comment"
    ]


def _kept(left: FileFindings) -> list[tuple[str, int, str]]:
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


@each_row("wrong")
def test_what_is_wrong_with_a_comment_is_told(comment: str, told: list[str]) -> None:
    text = JOB.replace("  completions: 1\n---", f"  completions: 1 # gpuplane: {comment}\n---")
    found = _ignoring(text, FIRST)
    assert _told(found) == [f"f.yaml:4:18 {each}" for each in told]


def _comment(text: str, line: int, columns: tuple[int, int], field_line: int) -> YamlComment:
    return YamlComment(text, line, *columns, field_line, is_at_top=False)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("a: 1 # gpuplane: x y\n", (_comment("x y", 1, (6, 21), 1),)),
        ("a: 1\n# gpuplane: x\n\n# y\nb: 2\n", (_comment("x", 2, (1, 14), 5),)),
        ("a: 1\n#gpuplane:x\n---\nb: 2\n", (_comment("x", 2, (1, 12), 4),)),
        ("a: 1\n# gpuplane: x\n", (_comment("x", 2, (1, 14), 0),)),
        ("a: |  # gpuplane: x\n  text\n", (_comment("x", 1, (7, 20), 1),)),
        ("a: |\n  text\n# gpuplane: x\nb: 2\n", (_comment("x", 3, (1, 14), 4),)),
        ("a:\n  - {b: é} # gpuplane: x\n", (_comment("x", 2, (12, 25), 2),)),
        ("# gpuplane: x\na: 1\n", (YamlComment("x", 1, 1, 14, 2, is_at_top=True),)),
    ],
)
def test_a_comment_is_about_its_line_or_the_next_with_a_field(
    content: str, found: tuple[YamlComment, ...]
) -> None:
    assert marked_comments(content.encode()) == found


@pytest.mark.parametrize(
    "content",
    [
        "a: 1 # of something else\n",
        'a: "text # gpuplane: x"\n',
        "a: 'text\n  # gpuplane: x'\n",
        "a: |\n  # gpuplane: x\n  text\n",
        "a: >-\n  text # gpuplane: x\n",
        "a: text#gpuplane: x\n",
        "a: 'b # gpuplane: x\n",
        "a: b # gpuplane: x\n\t- c\n",
        "a: \xff # gpuplane: x\n",
        "",
    ],
)
def test_what_is_part_of_a_string_or_of_no_yaml_is_no_comment(content: str) -> None:
    assert marked_comments(content.encode("latin-1")) == ()


def test_many_comments_and_long_ones_are_read_in_linear_time() -> None:
    # Each comment was once held against every line and every string: minutes for these.
    lines = "a: b # gpuplane: x\n" * 10_000
    comments = marked_comments(f"{lines}# gpuplane: x{' ' * 50_000}y\n".encode())
    assert [each.field_line for each in comments] == [*range(1, 10_001), 0]


def test_blanks_behind_a_comment_are_no_part_of_its_text() -> None:
    assert marked_comments(b"a: 1 # gpuplane: x \t \n") == (_comment("x", 1, (6, 22), 1),)
