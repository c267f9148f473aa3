import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from charts_py.cluster_file.fault import Mark, SpecError
from gpuplane.lint.acknowledgement_key import ContentDigests, acknowledgement_file, path_in_rows
from gpuplane.lint.acknowledgements import LintAcknowledgements, Statement, rows_of
from gpuplane.lint.finding import FileFindings, LintFinding, LintSeverity
from gpuplane.lint.lint_source import LintSource
from gpuplane.lint.registry import RuleNames
from gpuplane.versions.tree import DistError
from tests.gpuplane.messages import message_of
from tests.rows import rows_beside

each_row = rows_beside(__file__, "acknowledgements.yaml")

NAMES = RuleNames()
TODAY = dt.date(2026, 11, 21)
HELD = "0123456789abcdef"
HEAD = """\
# Findings of `gpuplane lint` that are meant. A row holds as long as `content` is the digest of what
# it is about. `gpuplane lint PATH --acknowledge --reason REASON` adds rows.
acknowledged:
"""


def _row(**changes: str) -> str:
    row = {
        "rule": "job-ttl",
        "file": "job.yaml",
        "object": "Job a",
        "content": f"'{HELD}'",
        "reason": "meant",
        "by": "somebody",
    }
    first, *others = (f"{key}: {value}" for key, value in (row | changes).items())
    return "\n".join([f"  - {first}", *(f"    {line}" for line in others), ""])


def _finding(content: str = HELD, rule: str = "job-ttl", subject: str = "Job a") -> LintFinding:
    return LintFinding(
        rule=rule,
        severity=LintSeverity.WARNING,
        start=Mark("job.yaml", 1, 1),
        end=Mark("job.yaml", 1, 2),
        message="It is wrong.",
        subject=subject,
        pointer="/spec",
        content=content,
    )


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of acknowledgements, beside a file of manifests where one stands."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "job.yaml").touch()
    return Path(".gpuplane/acknowledged.yaml")


def _left(file: Path, text: str, *found: LintFinding) -> list[FileFindings]:
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    sources = [LintSource("job.yaml", b"")]
    return LintAcknowledgements(file, (), TODAY).left_of([FileFindings(found)], sources)


def _with_rows(file: Path, *found: LintFinding, statement: Statement) -> str:
    return LintAcknowledgements(file, (), TODAY).with_rows(found, statement)


def test_what_is_acknowledged_is_left_out_and_counted(file: Path) -> None:
    other = _finding(rule="image-tag")
    assert _left(file, HEAD + _row(expires="2026-11-21"), _finding(), other) == [
        FileFindings((other,), acknowledged={"job-ttl": 1})
    ]


@each_row("stale")
def test_a_row_that_does_not_hold_is_told_and_hides_nothing(
    file: Path, changes: dict[str, str], told: str
) -> None:
    kept, stale = _left(file, HEAD + _row(**changes), _finding())
    assert kept == FileFindings((_finding(),))
    assert [f"{each.start} {each.severity}: {each.message}" for each in stale.findings] == [
        f".gpuplane/acknowledged.yaml:4:1 warning: {told}"
    ]


def test_a_row_on_a_file_that_was_not_read_is_left_alone(file: Path) -> None:
    Path("other.yaml").touch()
    rows = HEAD + _row(file="other.yaml") + _row(file="'-'")
    assert _left(file, rows) == [FileFindings(())]


UNKNOWN_RULE = (
    'acknowledged[0].rule: "job-tll" is not a rule of the linter that can be acknowledged; '
    f"allowed: {', '.join(NAMES.ignorable)}; nearest: job-ttl"
)
UNKNOWN_FIELD = (
    'acknowledged[1].reson: unknown field "reson"; allowed: rule, file, object, content, reason, '
    "by, expires; nearest: reason"
)


@pytest.mark.parametrize(
    ("text", "line", "fault"),
    [
        (HEAD + _row(rule="job-tll"), 4, UNKNOWN_RULE),
        (HEAD + _row() + _row().replace("reason", "reson"), 14, UNKNOWN_FIELD),
        ("acknowledged: 1\n", 1, "acknowledged: 1 is a number; allowed: a list"),
    ],
)
def test_a_fault_has_its_line_and_what_is_allowed(text: str, line: int, fault: str) -> None:
    message = message_of(SpecError, rows_of, text.encode(), "a.yaml", NAMES)
    assert f"a.yaml:{line}: {fault}" in message.splitlines()


def test_a_new_file_has_a_row_for_each_finding(file: Path) -> None:
    found = [_finding(), _finding(), _finding(rule="image-tag"), _finding(content="")]
    statement = Statement("it's: meant", "somebody", dt.date(2027, 1, 1))
    text = _with_rows(file, *found, statement=statement)
    ends = {"reason": "'it''s: meant'", "expires": "'2027-01-01'"}
    assert text == HEAD + _row(**ends) + _row(rule="image-tag", **ends)


def test_rows_are_added_and_replaced_and_comments_stay(file: Path) -> None:
    file.parent.mkdir()
    kept = "  # why\n" + _row(object="Job b")
    file.write_text(HEAD + kept + _row(content="'0000000000000000'"), encoding="utf-8")
    text = _with_rows(file, _finding(), statement=Statement("again", "me"))
    assert text == HEAD + kept + _row(reason="again", by="me")


def test_rows_in_braces_cannot_be_added_to(file: Path) -> None:
    file.parent.mkdir()
    row = f"{{rule: job-ttl, file: a, object: b, content: '{HELD}', reason: r, by: b}}"
    file.write_text(f"acknowledged: [{row}]\n", encoding="utf-8")
    with pytest.raises(DistError) as caught:
        _with_rows(file, _finding(), statement=Statement("again", "me"))
    assert str(caught.value) == (
        f"{file}: rows cannot be added; allowed: a list with each row on its lines"
    )


def test_the_file_stands_in_the_folder_of_the_repository(tmp_path: Path) -> None:
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    file = tmp_path / ".gpuplane" / "acknowledged.yaml"
    assert acknowledgement_file(below) == Path("../../.gpuplane/acknowledged.yaml")
    assert acknowledgement_file(tmp_path) == Path(".gpuplane/acknowledged.yaml")
    (below / "job.yaml").touch()
    assert path_in_rows(str(below / "job.yaml"), file) == "a/b/job.yaml"
    assert path_in_rows("-", file) == "-"


class _Subject(str):
    """The subject of a finding, that counts how often one is compared."""

    __slots__ = ()
    compared = 0

    def __eq__(self, other: object) -> bool:
        _Subject.compared += 1
        return super().__eq__(other)

    __hash__ = str.__hash__


def _comparisons(file: Path, count: int) -> int:
    names = [f"Job {each}" for each in range(count)]
    _Subject.compared = 0
    found = [_finding(subject=_Subject(each)) for each in names]
    left = _left(file, HEAD + "".join(_row(object=each) for each in names), *found)
    assert left == [FileFindings((), acknowledged={"job-ttl": count})]
    return _Subject.compared


def test_a_row_is_not_compared_with_findings_of_other_objects(file: Path) -> None:
    assert _comparisons(file, 50) == 50 * _comparisons(file, 1)


JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {name: train, labels: {app: train}}
spec:
  parallelism: 2
  template:
    spec:
      containers:
        - {name: proxy, image: proxy:1}
        - {name: train, image: registry/train:1, args: [a]}
"""


def _digest(pointer: str, replaced: str = "", by: str = "") -> str:
    return ContentDigests(yaml.safe_load(JOB.replace(replaced, by) if replaced else JOB)).of(
        pointer
    )


MISSING = "/spec/backoffLimit"
TRAIN = "/spec/template/spec/containers/1"


def test_a_digest_follows_from_no_format() -> None:
    document: Any = yaml.safe_load(JOB)
    turned = dict(reversed(document.items()))
    assert ContentDigests(json.loads(json.dumps(turned))).of(MISSING) == _digest(MISSING)
    assert _digest(MISSING) == "b241c1ea0978a7d9"


@pytest.mark.parametrize(
    ("pointer", "replaced", "by"),
    [
        (MISSING, "app: train", "app: other"),
        (MISSING, "train:1", "train@sha256:1"),
        (TRAIN, "parallelism: 2", "parallelism: 3"),
        (TRAIN, "proxy:1", "other:1"),
        (f"{TRAIN}/args", "train:1", "train:2"),
    ],
)
def test_what_a_finding_is_not_about_changes_no_digest(
    pointer: str, replaced: str, by: str
) -> None:
    assert _digest(pointer, replaced, by) == _digest(pointer)


@pytest.mark.parametrize(
    ("pointer", "replaced", "by"),
    [
        (MISSING, "parallelism: 2", "parallelism: 3"),
        (MISSING, "registry/train:1", "elsewhere/train:1"),
        (TRAIN, "[a]", "[b]"),
        (f"{TRAIN}/image", "train:1", "train:2"),
    ],
)
def test_what_a_finding_is_about_changes_the_digest(pointer: str, replaced: str, by: str) -> None:
    assert _digest(pointer, replaced, by) != _digest(pointer)


def test_a_container_is_known_by_its_name() -> None:
    document: Any = yaml.safe_load(JOB)
    document["spec"]["template"]["spec"]["containers"].reverse()
    assert ContentDigests(document).of(TRAIN.replace("1", "0")) == _digest(TRAIN)


def test_an_object_of_a_list_is_known_by_its_name() -> None:
    document = {"kind": "List", "items": [{"kind": "Pod", "metadata": {"name": n}} for n in "ab"]}
    turned = {"kind": "List", "items": document["items"][::-1]}
    digests, turned_digests = ContentDigests(document), ContentDigests(turned)
    assert digests.of("/items/1/spec") == turned_digests.of("/items/0/spec")
    assert digests.of("/items/0/spec") != digests.of("/items/1/spec")


def test_acknowledgements_that_do_not_end_are_refused(file: Path) -> None:
    file.parent.mkdir()
    file.symlink_to("/dev/zero")
    acknowledgements = LintAcknowledgements(file, (), TODAY)
    assert message_of(OSError, acknowledgements.left_of, [], []) == (
        ".gpuplane/acknowledged.yaml: is not a regular file; allowed: regular files, folders, and "
        "- for stdin"
    )


def test_nothing_is_acknowledged_by_a_link_out_of_the_repository(
    file: Path, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    file.parent.symlink_to(tmp_path.parent)
    acknowledgements = LintAcknowledgements(file, (), TODAY)
    with pytest.raises(OSError, match="which is outside of the repository"):
        acknowledgements.add([_finding()], Statement("meant", "somebody"))
    assert not file.exists()
