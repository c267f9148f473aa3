import io
from typing import Any

import yaml
from hypothesis import given, strategies as st
from ruamel.yaml import YAML

from charts_py.extensions.manifest_files import ManifestLoader
from charts_py.objects.fields import is_same
from gpuplane.edits.written_value import BlockStyle, written
from tests.gpuplane.edits.rendered_documents import DOCUMENTS


def _as_yaml_1_2(text: str) -> Any:
    return YAML(typ="safe", pure=True).load(io.StringIO(text))


@given(DOCUMENTS, st.sampled_from((1, 2, 4)), st.sampled_from((0, 2)), st.sampled_from("'\""))
def test_a_value_reads_as_it_was_written_under_yaml_1_1_and_1_2(
    content: dict[str, Any], step: int, offset: int, quote: str
) -> None:
    text = "".join(f"{line}\n" for line in written(content, BlockStyle(step, offset, quote)).lines)
    assert is_same(list(yaml.load_all(text, ManifestLoader)), [content])
    assert _as_yaml_1_2(text) == content
