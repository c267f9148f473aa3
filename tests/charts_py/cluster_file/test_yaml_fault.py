import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given, strategies as st

from charts_py.cluster_file.yaml_fault import UNREADABLE, yaml_fault
from charts_py.cluster_file.yaml_reader import CoreSchemaLoader

SAVED = "allowed: the file saved as UTF-8"
PRINTABLE = "allowed: printable characters, and the file saved as UTF-8"
SAMPLE = (Path(__file__).parents[1] / "samples" / "eks.yaml").read_text(encoding="utf-8")


def fault_of(source: bytes) -> str | None:
    try:
        yaml.compose(source.decode(), CoreSchemaLoader)
    except UNREADABLE as error:
        return str(yaml_fault(error, source, "cluster.yaml"))
    return None


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        (b"a: caf\xe9\n", f"1:7: byte 0xE9 is not UTF-8; {SAVED}"),
        ("a: 1\n".encode("utf-16"), f"1: the file is UTF-16; {SAVED}"),
        (b"a: 1\nb: \x00\n", f"2:4: invalid YAML: the character U+0000; {PRINTABLE}"),
        (
            "a: 1\u00e9\nb\u00e9: \x07\n".encode(),
            f"2:5: invalid YAML: the character U+0007; {PRINTABLE}",
        ),
        (
            "# é\na: 1\n".encode("latin-1"),
            "1:3: byte 0xE9 is not UTF-8; allowed: the file saved as UTF-8",
        ),
        (b'a: "\\ud800"', "1:7: invalid YAML: found invalid Unicode character escape code"),
        (b"a: 1\r\nb: [\r\n", '2:4: invalid YAML: "[" is not closed; allowed: "]"'),
        (b"\xef\xbb\xbfa: [\n", '1:4: invalid YAML: "[" is not closed; allowed: "]"'),
    ],
)
def test_a_fault_names_line_and_column_and_what_is_allowed(source: bytes, fault: str) -> None:
    assert fault_of(source) == f"cluster.yaml:{fault}"


@given(st.integers(min_value=0, max_value=len(SAMPLE)), st.sampled_from("\"'[]{}:,-&*!|>%@`#\t\n "))
def test_a_sign_too_many_leaves_yaml_or_a_fault(at: int, sign: str) -> None:
    fault = fault_of(f"{SAMPLE[:at]}{sign}{SAMPLE[at:]}".encode())
    assert fault is None or re.match(r"cluster\.yaml:\d+:\d+: invalid YAML: ", fault)
