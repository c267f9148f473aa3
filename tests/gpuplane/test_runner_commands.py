"""Orders to CI runners."""

import json
from xml.etree.ElementTree import fromstring

import pytest

from gpuplane.runner_commands import in_commands, in_json, in_xml, without_orders

ORDER = "a ##[stop-commands]x ##VSO[task.setvariable variable=a]b"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::error::a\n  ::add-mask::b", "\\x3a:error::a\n  \\x3a:add-mask::b"),
        ("a\r::error::b\r \t::c", "a\r\\x3a:error::b\r \t\\x3a:c"),
        ("a::b: ## c #[d]\n\n", "a::b: ## c #[d]\n\n"),
        (ORDER, r"a \x23#[stop-commands]x \x23#VSO[task.setvariable variable=a]b"),
    ],
)
def test_no_text_orders_a_runner_anything(text: str, shown: str) -> None:
    assert without_orders(text) == shown


def test_commands_that_are_meant_stay() -> None:
    assert in_commands("::error::##[error]a") == r"::error::\x23#[error]a"


def test_json_and_xml_mean_the_same_without_orders() -> None:
    written = in_json(json.dumps({"name": ORDER})), in_xml(f"<a>{ORDER}</a>")
    assert not any("##" in text for text in written)
    assert json.loads(written[0])["name"] == ORDER
    assert fromstring(written[1]).text == ORDER  # noqa: S314 # its own
