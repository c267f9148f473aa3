import pytest

from culling.settings import Action, Settings
from rounds.settings import SettingsError, read, write
from tests.culling.cluster import QUERIES

SETTINGS = Settings("https://prometheus.example.com/p", ("a", "b"), Action.OBSERVE, 25, QUERIES)


def test_settings_are_read_as_they_are_written() -> None:
    assert read(write(SETTINGS), Settings) == SETTINGS


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"observe"', '"delete"', "Invalid enum value 'delete' - at `$.action`"),
        ('"maxPercent": 25', '"maxPercent": 0', "`$.maxPercent`"),
        ('"action"', '"actions"', "contains unknown field"),
        ("{", "{,", "malformed"),
    ],
)
def test_what_is_wrong_with_settings_is_said(old: str, new: str, said: str) -> None:
    with pytest.raises(SettingsError) as refused:
        read(write(SETTINGS).replace(old, new, 1), Settings)
    assert said in str(refused.value)
