import os

import psutil

from benchmarks.peaks import Growth, Peak, Size, growths, peak_of, rows

PEAKS = [
    Peak("operator", Size(), 40.0, 0.5),
    Peak("operator", Size(nodes=100), 41.0, 0.5),
    Peak("operator", Size(nodes=100, jobs=1024), 105.0, 4.25),
    Peak("operator", Size(nodes=100, jobs=2048), 169.0, 8.0),
    Peak("webhook", Size(namespaces=10), 128.0, 1.0),
]


def test_a_count_that_grows_alone_has_a_line() -> None:
    assert growths(PEAKS) == [
        Growth("operator", "nodes", 40.0, 10.24),
        Growth("operator", "jobs", 41.0, 64.0),
    ]


def test_a_component_is_held_against_its_limit_if_it_has_one() -> None:
    assert list(rows(PEAKS[-2:], {"operator": 256 * 2**20})) == [
        ["operator", "100", "0", "2048", "0", "0", "169", "8.0", "256", "66%"],
        ["webhook", "0", "0", "0", "10", "0", "128", "1.0", "", ""],
    ]


def test_the_peak_of_a_process_is_no_less_than_what_it_holds() -> None:
    process = psutil.Process(os.getpid())
    held = process.memory_info().rss / 2**20
    peak = peak_of("tests", Size(), [process, process])
    assert peak.mebibytes >= 2 * held > 0
    assert peak.cpu_seconds > 0
