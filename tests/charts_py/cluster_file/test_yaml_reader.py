import pytest
import yaml

from charts_py.cluster_file.yaml_reader import MERGE_TAG, NULL_TAG, TAG, CoreSchemaLoader, scalar_of


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("yes", f"{TAG}str"),
        ("TRUE", f"{TAG}bool"),
        ("~", NULL_TAG),
        ("-7", f"{TAG}int"),
        (".5", f"{TAG}float"),
        ("1.2.3", f"{TAG}str"),
        ("<<", MERGE_TAG),
        ("'7'", f"{TAG}str"),
    ],
)
def test_a_plain_word_has_the_tag_of_the_core_schema(text: str, tag: str) -> None:
    node = yaml.compose(text, CoreSchemaLoader)
    assert node is not None
    assert node.tag == tag


def test_a_number_that_no_field_could_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="1e999"):
        scalar_of(f"{TAG}float", "1e999")


def test_a_tag_that_the_core_schema_lacks_is_refused() -> None:
    with pytest.raises(KeyError, match="timestamp"):
        scalar_of(f"{TAG}timestamp", "2027-03-31")
