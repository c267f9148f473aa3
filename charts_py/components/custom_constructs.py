"""The cdk8s constructs that a cluster brings itself."""

import importlib
import inspect
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from constructs import Construct

from charts_py.components.component import Component
from charts_py.extensions.local_modules import local_modules
from charts_py.platform.platform import Platform
from charts_py.platform.render_error import RenderError
from charts_py.platform.wave import Wave
from gpus.nearest import nearest, nearest_hint


@dataclass(frozen=True, slots=True)
class _Reference:
    """One entry of `extensions.constructs`."""

    platform: Platform
    index: int
    text: str

    @property
    def module(self) -> str:
        return self.text.partition(":")[0]

    @property
    def function(self) -> str:
        return self.text.partition(":")[2]

    @property
    def component(self) -> str:
        return self.function.strip("_").replace("_", "-").lower()

    @property
    def directory(self) -> Path:
        return self.platform.directory.resolve()

    def error(self, what: str) -> RenderError:
        place = f"{self.platform.name}: extensions.constructs[{self.index}]"
        return RenderError(f'{place}: "{self.text}": {what}')

    def raised(self, error: Exception) -> RenderError:
        """Return the error for what the cluster's own code raised, with the line of that code."""
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if self.directory in Path(frame.filename).parents]
        at = f" at {own[-1].filename}:{own[-1].lineno}" if own else ""
        return self.error(f"raised {type(error).__name__}{at}: {error}")


def plan(platform: Platform) -> Iterator[Component]:
    """Yield a component for each function, named as it is.

    The function is called with a construct to add objects to, and the Platform. Raises RenderError
    where a reference leads to no function; the construct raises it where the function fails.
    """
    seen: dict[str, str] = {}
    for index, text in enumerate(platform.cluster.extensions.constructs):
        reference = _Reference(platform, index, text)
        if reference.component in seen:
            first = seen[reference.component]
            raise reference.error(
                f'its component would be named "{reference.component}" as that of "{first}"; '
                "allowed: another name of the function"
            )
        seen[reference.component] = text
        yield _component(reference, _load(reference))


def _component(reference: _Reference, function: Callable[..., Any]) -> Component:
    def construct(scope: Construct) -> None:
        with local_modules(reference.directory):
            try:
                function(scope, reference.platform)
            except Exception as error:
                raise reference.raised(error) from error

    return Component(
        name=reference.component,
        wave=Wave.EXTENSIONS,
        namespace="default",
        construct=construct,
    )


def _load(reference: _Reference) -> Callable[..., Any]:
    with local_modules(reference.directory):
        module = _import(reference)
    function = getattr(module, reference.function, None)
    if callable(function):
        return function  # type: ignore[no-any-return] # callable() tells no more than that
    allowed = _functions(module)
    hint = nearest_hint(nearest(reference.function, allowed))
    raise reference.error(
        f"{reference.module} has no function {reference.function}; "
        f"allowed: {', '.join(allowed) or 'none, it defines no function'}{hint}"
    )


def _import(reference: _Reference) -> ModuleType:
    try:
        return importlib.import_module(reference.module)
    except ModuleNotFoundError as error:
        if not f"{reference.module}.".startswith(f"{error.name}."):
            raise reference.raised(error) from error
        raise reference.error(
            f"no module {error.name}; allowed: one in {reference.directory}, or an installed one"
        ) from error
    except Exception as error:
        raise reference.raised(error) from error


def _functions(module: ModuleType) -> list[str]:
    """Return the public functions that a module itself defines, sorted."""
    return sorted(
        name
        for name, value in vars(module).items()
        if inspect.isfunction(value)
        and value.__module__ == module.__name__
        and not name.startswith("_")
    )
