import json
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from gpuplane.playground.cluster_facts import PlaygroundFacts
from gpuplane.playground.page import Answering, Page, PageExample, build_page, page_data
from policies.rule_name import ApiRule, RuleName

ANSWERING = Answering("ask_server.js", "Somewhere.", {"connect-src": "'self'"}, {"more": "data"})
HOSTILE = "</script><script>alert(1)</script>"


@pytest.fixture(scope="module")
def page(training_facts: PlaygroundFacts, tmp_path_factory: pytest.TempPathFactory) -> Page:
    folder = tmp_path_factory.mktemp("examples")
    (folder / "hostile.yaml").write_text(HOSTILE, encoding="utf-8")
    return build_page(page_data((training_facts,), folder), ANSWERING)


def _inline(page: Page, name: str) -> str:
    (content,) = re.findall(f"<{name}>(.*?)</{name}>", page.html.decode(), re.DOTALL)
    assert isinstance(content, str)
    return content


@pytest.mark.parametrize(("name", "directive"), [("script", "script-src"), ("style", "style-src")])
def test_nothing_but_its_own_script_and_style_may_run(
    page: Page, name: str, directive: str
) -> None:
    digest = b64encode(sha256(_inline(page, name).encode()).digest()).decode()
    assert f"{directive} 'sha256-{digest}'" in page.policy.split("; ")


def test_it_names_nothing_that_a_browser_would_load(page: Page) -> None:
    names = set(re.findall(r"<(\w+)[^>]*\s(?:src|href|srcset)=\"[^#]", page.html.decode()))
    assert names == set()


def test_data_cannot_end_its_element(page: Page) -> None:
    (data,) = re.findall('id="data">(.*?)</script>', page.html.decode(), re.DOTALL)
    (example, *_) = json.loads(data)["examples"]
    assert example == {"of_rule": False, "name": "hostile", "text": HOSTILE, "cluster": ""}


def test_each_rule_has_its_page_and_its_problem(training_facts: PlaygroundFacts) -> None:
    data = page_data((training_facts,), Path("/nowhere"))
    assert data.rules.keys() == {*RuleName, *ApiRule}
    assert {example.name for example in data.examples} == set(RuleName)
    assert all(example.of_rule for example in data.examples)


def test_a_link_out_of_the_folder_is_no_example(
    training_facts: PlaygroundFacts, tmp_path: Path
) -> None:
    (tmp_path / "secret.yaml").write_text("token: x\n", encoding="utf-8")
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "a.yaml").symlink_to(tmp_path / "secret.yaml")
    data = page_data((training_facts,), tmp_path / "examples")
    assert all(example.of_rule for example in data.examples)


def test_a_folder_is_no_example_and_what_is_no_utf_8_is_shown_as_such(
    training_facts: PlaygroundFacts, tmp_path: Path
) -> None:
    (tmp_path / "a.yaml").mkdir()
    (tmp_path / "b.yaml").write_bytes(b"a: \xff\n")
    examples = page_data((training_facts,), tmp_path).examples
    assert [each.text for each in examples if not each.of_rule] == ["a: \ufffd\n"]


def test_an_example_is_for_a_cluster_with_its_namespace(
    training_facts: PlaygroundFacts, tmp_path: Path
) -> None:
    text = "kind: Pod\nmetadata:\n  namespace: research-training\n"
    (tmp_path / "pod.yaml").write_text(text, encoding="utf-8")
    examples = page_data((training_facts,), tmp_path).examples
    assert examples[0] == PageExample(False, "pod", text, "training")
