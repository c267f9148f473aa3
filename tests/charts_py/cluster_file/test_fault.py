import pickle

import pytest

from charts_py.cluster_file.fault import Fault, Mark, Problem, SpecError, counted, dotted

LATER = Fault(Mark("b.yaml", 2), Problem(("pools", "h100"), "wrong"))
EARLIER = Fault(Mark("a.yaml", 10), Problem((), "empty", "a mapping", ("x", "y")))


def test_a_path_is_dotted_with_indices_and_quotes_where_dots_would_mislead() -> None:
    assert dotted(("pools", "a100-mig", "zones", 0)) == "pools.a100-mig.zones[0]"
    assert dotted(("sharing", "mig", "1g.10gb")) == 'sharing.mig."1g.10gb"'


def test_a_fault_states_where_what_what_is_allowed_and_what_is_nearest() -> None:
    assert str(EARLIER) == "a.yaml:10: empty; allowed: a mapping; nearest: x, y"
    assert str(LATER) == "b.yaml:2: pools.h100: wrong"


def test_faults_come_in_the_order_of_the_files() -> None:
    assert str(SpecError([LATER, EARLIER])) == f"{EARLIER}\n{LATER}"


def test_an_error_crosses_to_another_process() -> None:
    error = pickle.loads(pickle.dumps(SpecError([LATER, EARLIER])))  # noqa: S301 # just dumped
    assert (error.faults, str(error)) == ((EARLIER, LATER), f"{EARLIER}\n{LATER}")


@pytest.mark.parametrize(
    ("count", "noun", "words"),
    [
        (0, "object", "0 objects"),
        (1, "object", "1 object"),
        (2, "safe object", "2 safe objects"),
        (1, "entry", "1 entry"),
        (2, "entry", "2 entries"),
        (2, "day", "2 days"),
    ],
)
def test_all_but_one_are_in_the_plural(count: int, noun: str, words: str) -> None:
    assert counted(count, noun) == words
