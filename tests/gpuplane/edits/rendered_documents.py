"""Documents as people write them: block and flow, any indentation, quotes and comments."""

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from gpuplane.edits.written_value import is_plain, quoted_text, scalar_text

NAMES = st.sampled_from(("a", "b", "name", "nvidia.com/gpu", "on", "1", "x y", "~", "k:v", "a/b"))
TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**40), 2**40)
    | st.floats(allow_nan=False, allow_infinity=False, width=32)
    | TEXT
    | st.sampled_from(("yes", "1e3", "0o17", "012", "# no", "a: b", "- x", "l1\nl2\n", "{", "1Gi"))
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
DOCUMENTS = st.dictionaries(NAMES, VALUES, min_size=1, max_size=4)


@dataclass
class Renderer:
    """Writes values with choices of hypothesis, and notes its comments."""

    draw: st.DrawFn
    comments: list[str]

    def document(self, content: dict[str, Any]) -> dict[str, list[str]]:
        """Return the lines of each member of a document."""
        return {name: self._member(name, value) for name, value in content.items()}

    def comment(self) -> str:
        self.comments.append(f"# comment {len(self.comments)}")
        return self.comments[-1]

    def _chance(self) -> bool:
        return self.draw(st.integers(0, 4)) == 0

    def _member(self, name: str, value: Any) -> list[str]:
        above = [self.comment()] if self._chance() else []
        return [*above, *self._behind(f"{self._scalar(name)}:", value, self._depth(value))]

    def _depth(self, value: Any) -> int:
        return self.draw(st.sampled_from((0, 2, 3) if isinstance(value, list) else (2, 4)))

    def _behind(self, head: str, value: Any, depth: int) -> list[str]:
        """Return the lines of a value behind a key."""
        if not value or not isinstance(value, (dict, list)) or self._chance():
            if value is None and self._chance():
                return [f"{head}{self._beside()}"]
            return self._inline(head, value)
        if isinstance(value, dict):
            lines = [line for name, one in value.items() for line in self._member(name, one)]
        else:
            lines = [line for item in value for line in self._item(item)]
        if self._chance():
            lines.append("")
        return [
            f"{head}{self._beside()}",
            *(f"{' ' * depth}{line}" if line else "" for line in lines),
        ]

    def _item(self, value: Any) -> list[str]:
        lines = self._behind("-", value, 2)
        first = lines[0]
        if (
            first == "-"
            and len(lines) > 1
            and lines[1][2:3] not in ("#", "")
            and not self._chance()
        ):
            return [f"- {lines[1][2:]}", *lines[2:]]
        return lines

    def _beside(self) -> str:
        return f"  {self.comment()}" if self._chance() else ""

    def _inline(self, head: str, value: Any) -> list[str]:
        text = self._flow(value) if isinstance(value, (dict, list)) else self._scalar(value)
        return [f"{head} {text}{self._beside()}"]

    def _flow(self, value: Any) -> str:
        if isinstance(value, dict):
            inner = (f"{self._scalar(k, flow=True)}: {self._flow(v)}" for k, v in value.items())
            return self._braces("{", inner, "}")
        if isinstance(value, list):
            return self._braces("[", map(self._flow, value), "]")
        return self._scalar(value, flow=True)

    def _braces(self, start: str, inner: Any, end: str) -> str:
        pad = " " if self._chance() else ""
        comma = self.draw(st.sampled_from((", ", " , ", ",")))
        return f"{start}{pad}{comma.join(inner)}{pad}{end}"

    def _scalar(self, value: Any, *, flow: bool = False) -> str:
        quote = self.draw(st.sampled_from(("'", '"', "")))
        if isinstance(value, str) and (quote or not is_plain(value, in_flow=flow)):
            return quoted_text(value, quote)
        return scalar_text(value, "'", in_flow=flow)


@dataclass(frozen=True)
class Rendered:
    """A document, its members as lines, and the comments in them."""

    content: dict[str, Any]
    members: dict[str, list[str]]
    comments: list[str]

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for lines in self.members.values() for line in lines)


@st.composite
def rendered(draw: st.DrawFn) -> Rendered:
    content = draw(DOCUMENTS)
    renderer = Renderer(draw, [])
    return Rendered(content, renderer.document(content), renderer.comments)
