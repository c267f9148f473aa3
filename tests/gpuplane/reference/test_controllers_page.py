from charts_py.components.controller_sizes import sized_controllers
from gpuplane.reference.controllers_page import controllers_reference


def test_every_controller_is_a_row_with_what_it_takes() -> None:
    rows = [line for line in controllers_reference().splitlines() if line.startswith("| `")]
    assert [row.split("`")[1] for row in rows] == [*sized_controllers()]
    (of_metrics,) = (row for row in rows if row.startswith("| `metrics-server`"))
    assert of_metrics == (
        "| `metrics-server` | 200Mi, none | 2Mi a node; CPU: 1m a node | 2 from 100 nodes on | "
        "[its README](https://github.com/kubernetes-sigs/metrics-server/blob/v0.8.1/README.md), "
        "2 MB and a thousandth of a CPU for each node |"
    )
