"""The reference of the sizes of controllers, by the table that decides them."""

from collections.abc import Iterator

from charts_py.components.controller_sizes import Controller, Growth, sized_controllers
from gpuplane.reference import introduction, table_row

_HEADER = (
    "| Controller | Request and limit of its chart | It takes | Replicas | Source |\n"
    "|---|---|---|---|---|"
)
_OF_EACH = ("node", "gpu", "namespace", "job", "pod")


def controllers_reference() -> str:
    return "\n".join(
        [introduction("controllers"), _HEADER, *map(_row, sized_controllers().values()), ""]
    )


def _row(controller: Controller) -> str:
    said = controller.states
    return table_row(
        f"`{controller.name}`",
        f"{said.request or 'none'}, {said.limit or 'none'}",
        "; CPU: ".join(filter(None, (_sum(controller.memory), _sum(controller.cpu)))),
        _replicas(controller),
        controller.source,
    )


def _sum(growth: Growth | None) -> str:
    return " + ".join(_terms(growth)) if growth else ""


def _terms(growth: Growth) -> Iterator[str]:
    if growth.base != "0":
        yield growth.base
    for name in _OF_EACH:
        if (amount := getattr(growth, name)) != "0":
            yield f"{amount} a {name if name != 'gpu' else 'GPU'}"


def _replicas(controller: Controller) -> str:
    if controller.replicas is None:
        return f"1: {controller.alone}" if controller.at else controller.alone
    least = controller.replicas.from_nodes
    return f"2 from {least} nodes on" if least else "2"
