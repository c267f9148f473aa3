"""A function of the cluster's own that adds objects, as its file refers to it."""

from __future__ import annotations

import importlib
import inspect
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from charts_py.extensions.local_modules import local_modules
from charts_py.platform.render_error import RenderError
from gpus.nearest import nearest, nearest_hint

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from charts_py.platform.platform import Platform


@dataclass(frozen=True, slots=True)
class Reference:
    """One entry of `extensions.constructs`."""

    platform: Platform
    index: int
    text: str

    @property
    def module(self) -> str:
        """Name of the module."""
        return self.text.partition(":")[0]

    @property
    def function(self) -> str:
        """Name of the function in it."""
        return self.text.partition(":")[2]

    @property
    def component(self) -> str:
        """Name of the component."""
        return self.function.strip("_").replace("_", "-").lower()

    @property
    def directory(self) -> Path:
        """Folder of the cluster file, where modules are found."""
        return self.platform.directory.resolve()

    def error(self, what: str) -> RenderError:
        """Return the error that names the reference."""
        place = f"{self.platform.name}: extensions.constructs[{self.index}]"
        return RenderError(f'{place}: "{self.text}": {what}')

    def raised(self, error: Exception) -> RenderError:
        """Return the error for what the cluster's own code raised, with the line of that code."""
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if self.directory in Path(frame.filename).parents]
        at = f" at {own[-1].filename}:{own[-1].lineno}" if own else ""
        return self.error(f"raised {type(error).__name__}{at}: {error}")


def load_function(reference: Reference) -> Callable[..., Any]:
    """Return the function; raise RenderError where a reference leads to none."""
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


def _import(reference: Reference) -> ModuleType:
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
