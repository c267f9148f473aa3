from tests.charts_py.metrics.promql import read_metrics
from tests.rows import rows_beside

each_row = rows_beside(__file__, "promql.yaml")


@each_row("expressions")
def test_metrics_are_told_from_functions_labels_and_strings(
    expression: str, metrics: list[str]
) -> None:
    assert read_metrics(expression) == {*metrics}
