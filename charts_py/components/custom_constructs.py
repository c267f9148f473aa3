"""The cdk8s constructs that a cluster brings itself."""

from __future__ import annotations

import importlib
import inspect
import sys
import traceback
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from charts_py.cluster_file.fault import SpecError
from charts_py.components.component import Component
from charts_py.components.definition import Definition
from charts_py.platform.wave import Wave
from gpus.nearest import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from constructs import Construct

    from charts_py.platform.platform import Platform


@contextmanager
def local_modules(directory: Path) -> Iterator[None]:
    """Let modules of a folder be imported, before any others of their names.

    Afterwards they are forgotten, so that a module of another cluster's folder is never mistaken
    for one of this folder, and the modules that they replaced are restored.
    """
    names = frozenset(local_names(directory))
    outside = _take(names)
    path, writes_bytecode = list(sys.path), sys.dont_write_bytecode
    sys.path.insert(0, str(directory))
    # Compiled files do not belong in a folder of cluster files.
    sys.dont_write_bytecode = True
    importlib.invalidate_caches()
    try:
        yield
    finally:
        _take(names)
        sys.modules.update(outside)
        sys.path[:], sys.dont_write_bytecode = path, writes_bytecode


def local_names(directory: Path) -> Iterator[str]:
    """Yield the modules and packages that a folder has."""
    for entry in directory.iterdir():
        if entry.suffix == ".py" or (entry.is_dir() and any(entry.glob("*.py"))):
            yield entry.stem


def _take(names: frozenset[str]) -> dict[str, ModuleType]:
    """Remove modules of these names, and their submodules, from those imported; return them."""
    taken = [name for name in sys.modules if name.partition(".")[0] in names]
    return {name: sys.modules.pop(name) for name in taken}


@dataclass(frozen=True, slots=True)
class Reference:
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
        """Folder of the cluster file, where modules are found."""
        return self.platform.directory.resolve()

    def error(
        self, what: str, allowed: str | None = None, nearest: tuple[str, ...] = ()
    ) -> SpecError:
        path = ("extensions", "constructs", self.index)
        return SpecError([self.platform.fault(path, f'"{self.text}": {what}', allowed, nearest)])

    def raised(self, error: Exception) -> SpecError:
        """Return the error for what the cluster's own code raised, with the line of that code."""
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if self.directory in Path(frame.filename).parents]
        at = f" at {own[-1].filename}:{own[-1].lineno}" if own else ""
        return self.error(f"raised {type(error).__name__}{at}: {error}")


def load_function(reference: Reference) -> Callable[..., Any]:
    """Return the function; raise SpecError where a reference leads to none."""
    with local_modules(reference.directory):
        module = _import(reference)
    function = getattr(module, reference.function, None)
    if callable(function):
        return function  # type: ignore[no-any-return] # callable() says no more than that
    allowed = _functions(module)
    raise reference.error(
        f"{reference.module} has no function {reference.function}",
        ", ".join(allowed) or "none, it defines no function",
        nearest(reference.function, allowed),
    )


def _import(reference: Reference) -> ModuleType:
    try:
        return importlib.import_module(reference.module)
    except ModuleNotFoundError as error:
        if not f"{reference.module}.".startswith(f"{error.name}."):
            raise reference.raised(error) from error
        raise reference.error(
            f"no module {error.name}",
            f"one in {reference.directory}, or installed",
            nearest(str(error.name), local_names(reference.directory)),
        ) from error
    except Exception as error:
        raise reference.raised(error) from error


def _functions(module: ModuleType) -> list[str]:
    return sorted(
        name
        for name, value in vars(module).items()
        if inspect.isfunction(value)
        and value.__module__ == module.__name__
        and not name.startswith("_")
    )


def _parts(platform: Platform) -> Iterator[Component]:
    """Yield a component for each function, named as it is.

    The function is called with a construct to add objects to, and the Platform. Raises SpecError
    where a reference leads to no function; the construct raises it where the function fails.
    """
    seen: dict[str, str] = {}
    for index, text in enumerate(platform.cluster.extensions.constructs):
        reference = Reference(platform, index, text)
        if reference.component in seen:
            first = seen[reference.component]
            raise reference.error(
                f'its component would be named "{reference.component}" as that of "{first}"',
                "another name of the function",
            )
        seen[reference.component] = text
        yield _component(reference, load_function(reference))


def _component(reference: Reference, function: Callable[..., Any]) -> Component:
    def construct(scope: Construct) -> None:
        with local_modules(reference.directory):
            try:
                function(scope, reference.platform)
            except Exception as error:
                raise reference.raised(error) from error

    return Component(
        name=reference.component, wave=Wave.EXTENSIONS, namespace="default", construct=construct
    )


CUSTOM_CONSTRUCTS = Definition(
    name="custom-constructs",
    description=__doc__,
    appears="once a function that the cluster names",
    is_wanted=lambda platform: bool(platform.cluster.extensions.constructs),
    fields=("extensions.constructs", "addons.monitoring.labels"),
    wave=Wave.EXTENSIONS,
    parts=_parts,
)
