import pytest

from upstream.kubeconform_report import Report, Result, Status, parse_result

INTRODUCTION = (
    "problem validating schema. Check JSON formatting: "
    "jsonschema validation failed with 'file:///schemas/a.json#'"
)


def entry(status: str, text: str) -> dict[str, str]:
    return {
        "filename": "a.yaml",
        "kind": "Pod",
        "name": "a",
        "version": "v1",
        "status": status,
        "msg": text,
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("", "", id="nothing wrong"),
        pytest.param(
            f"{INTRODUCTION} - at '/b': validation failed   - at '/b': missing property 'c'"
            "   - at '/a': got number, want string",
            "/a: got number, want string; /b: missing property 'c'",
            id="faults are sorted and those that only gather others are left out",
        ),
        pytest.param(
            f"{INTRODUCTION} - at '': missing property 'spec'",
            "/: missing property 'spec'",
            id="the document itself",
        ),
        pytest.param(
            f"{INTRODUCTION} - at '/labels/it\\'s': got null, want string",
            "/labels/it\\'s: got null, want string",
            id="a quoted key",
        ),
        pytest.param("error: two\n  lines", "error: two lines", id="any other message"),
    ],
)
def test_a_message_is_the_faults_with_their_paths(text: str, message: str) -> None:
    assert parse_result(entry("statusInvalid", text)) == Result(
        "a.yaml", "v1", "Pod", "a", Status.INVALID, message
    )


def test_everything_but_a_valid_document_is_a_failure() -> None:
    statuses = ("statusValid", "statusInvalid", "statusError", "statusSkipped")
    valid, *others = (parse_result(entry(status, "")) for status in statuses)
    assert Report((valid, *others)).failures == tuple(others)
