"""Writing and reading manifests as YAML."""

import io
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import yaml
from yaml.representer import SafeRepresenter
from yaml.resolver import Resolver

from charts_py.cluster_file.fault import RenderError
from charts_py.cluster_file.yaml_stop import first_too_deep, too_deep
from charts_py.objects.document import Document, ObjectKey, is_object_name, key_of, keys_of
from policies.document import printable

LIKE_ANOTHER_TYPE = re.compile(
    r"^([-+]?[.0-9_][0-9a-fA-FoOxX._:+-]*|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)|[yYnN])$"
)
"""Strings that YAML 1.1, YAML 1.2 or a Go parser may read as a number or a boolean: they are
quoted, so that a commit such as 12e4567 stays a string. PyYAML would not quote an exponent without
a dot, nor `y` and `n`, which kubectl reads as booleans
(https://github.com/kubernetes-sigs/yaml, goyaml.v2/resolve.go)."""
_TEXT = "tag:yaml.org,2002:str"
_KNOWN_TEXTS = 4096
_LIKE_AN_ANCHOR = re.compile(r"&[\w-]", re.ASCII)
_BEGIN: tuple[yaml.Event, ...] = (yaml.StreamStartEvent(), yaml.DocumentStartEvent(explicit=False))
_END: tuple[yaml.Event, ...] = (yaml.DocumentEndEvent(explicit=False), yaml.StreamEndEvent())
_MAPPING = (yaml.MappingStartEvent(None, None, True, flow_style=False), yaml.MappingEndEvent())
_SEQUENCE = (yaml.SequenceStartEvent(None, None, True, flow_style=False), yaml.SequenceEndEvent())


def to_yaml(document: Document) -> str:
    """Return the document as YAML, its keys in their order, and strings of several lines as blocks.

    It is what `yaml.dump` writes, in a third of the time: that makes a node of each value first.
    """
    written = io.StringIO()
    dumper = yaml.CSafeDumper(written, allow_unicode=True, width=2**16)
    for event in _BEGIN:
        dumper.emit(event)
    _emit(document, dumper.emit)
    for event in _END:
        dumper.emit(event)
    return written.getvalue()


def _emit(value: Any, emit: Callable[[yaml.Event], None]) -> None:
    if isinstance(value, dict):
        emit(_MAPPING[0])
        for key, inner in value.items():
            _emit(key, emit)
            _emit(inner, emit)
        emit(_MAPPING[1])
    elif isinstance(value, (list, tuple)):
        emit(_SEQUENCE[0])
        for inner in value:
            _emit(inner, emit)
        emit(_SEQUENCE[1])
    elif not isinstance(value, str):
        node = SafeRepresenter().represent_data(value)
        emit(_event(node.tag, node.value))
    elif "\n" in value and not value.isspace():
        emit(_event(_TEXT, value, "|"))
    else:
        emit(_line(value))


@lru_cache(_KNOWN_TEXTS)
def _line(text: str) -> yaml.ScalarEvent:
    """Return a text of one line, such as the name of a field; documents repeat them often."""
    return _event(_TEXT, text, "'" if LIKE_ANOTHER_TYPE.match(text) else None)


def _event(tag: str, text: str, style: str | None = None) -> yaml.ScalarEvent:
    """Return a scalar with whether it has its tag where it is plain, and where it is quoted."""
    plain = Resolver().resolve(yaml.ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]  # upstream's
    return yaml.ScalarEvent(None, tag, (plain == tag, tag == _TEXT), text, style=style)


def from_yaml(text: str) -> list[Document]:
    """Return the documents in a string of YAML, without empty ones.

    Raises YAMLError, also where they are nested too deeply.
    """
    if (deep := too_deep(text.encode())) is not None:
        raise yaml.YAMLError(f"it is {deep}")
    return _loaded(text)


def _loaded(text: str) -> list[Document]:
    return [document for document in yaml.load_all(text, Loader=yaml.CSafeLoader) if document]


class ManifestError(ValueError):
    """The file at `path` holds what is no Kubernetes object."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"not a Kubernetes object: {reason}")
        self.path = path


class ManifestReader:
    """Reads many files, most of which are alike: each content is read once.

    Files of the same content have documents in common, which nobody changes.
    """

    def __init__(self) -> None:
        self._read: dict[bytes, list[tuple[ObjectKey, Document]]] = {}

    def read(self, files: Mapping[str, bytes]) -> dict[str, list[tuple[ObjectKey, Document]]]:
        """Return the objects of each file by its path; raise ManifestError."""
        unread = {path: text for path, text in files.items() if text not in self._read}
        if (found := first_too_deep(unread)) is not None:
            path, deep = found
            raise ManifestError(path, f"it is {deep}")
        for path, content in unread.items():
            self._read[content] = _objects_at(path, content)
        return {path: self._read[content] for path, content in files.items()}


def _objects_at(path: str, content: bytes) -> list[tuple[ObjectKey, Document]]:
    try:
        text = content.decode()
        _check_anchors(text)
        return [(key_of(document), document) for document in _loaded(text)]
    except KeyError as error:
        raise ManifestError(path, f"{error.args[0]} is missing") from error
    except (TypeError, AttributeError) as error:
        raise ManifestError(path, "it, or its metadata, is no mapping") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ManifestError(path, str(error).splitlines()[0]) from error


def _check_anchors(text: str) -> None:
    """Raise YAMLError for an anchor.

    `to_yaml` writes none, and aliases of them could make a small file hold billions of values.
    """
    for event in yaml.parse(text, yaml.CSafeLoader) if _LIKE_AN_ANCHOR.search(text) else ():
        if isinstance(event, yaml.NodeEvent) and event.anchor is not None and event.start_mark:
            raise yaml.YAMLError(f"line {event.start_mark.line + 1} has the anchor {event.anchor}")


def manifest_files(folder: str, documents: Sequence[Document]) -> dict[str, bytes]:
    """Return each document as `<kind>.<name>.yaml`, with the namespace where two would collide.

    Raises RenderError, which names the folder, where an object is there twice, and where a name
    cannot be that of a file, or two objects would have the same one.
    """
    keys = keys_of(documents)
    short = [(key.kind, key.name) for key in keys]
    if len(set(keys)) != len(keys):
        twice = next(key for key in keys if keys.count(key) > 1)
        raise RenderError(f"{folder}: {twice} is emitted twice")
    for key in keys:
        if not all(map(is_object_name, filter(None, (key.kind, key.namespace, key.name)))):
            what = f'"{printable(str(key))}" cannot name a file'
            raise RenderError(f"{folder}: {what}; allowed: printable characters without / and %")
    files = {}
    for key, document in zip(keys, documents, strict=True):
        collides = short.count((key.kind, key.name)) > 1
        parts = (key.kind, key.namespace, key.name) if collides else (key.kind, key.name)
        name = f"{'.'.join(filter(None, parts)).replace(':', '_')}.yaml"
        if name in files:
            raise RenderError(f"{folder}: {key} has the same file as another object: {name}")
        files[name] = to_yaml(document).encode()
    return files
