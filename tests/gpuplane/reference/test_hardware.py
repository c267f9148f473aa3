from gpuplane.reference.hardware import hardware_reference
from gpus.catalog import load_catalog


def test_every_model_has_a_row() -> None:
    rows = [line for line in hardware_reference().splitlines() if line.startswith("| `")]
    assert [row.split("`")[1] for row in rows] == list(load_catalog().models)


def test_a_row_says_which_driver_and_which_machine_a_model_needs() -> None:
    (row,) = (line for line in hardware_reference().splitlines() if line.startswith("| `GB200`"))
    assert row.startswith(
        "| `GB200` | blackwell | 10.0 | 185 GiB | yes | 72 | 570.123.01 or later | open | arm64 | "
        "1g.23gb,"
    )
