"""What rules of a platform team's own share in one review."""

from __future__ import annotations

from time import thread_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from policies.document import Document
    from policies.pod import Pod

MAX_STEPS = 20_000
"""Of macros, for each element one. The evaluator itself stops an expression after 10,000."""
MAX_MADE = 32 * 1024 * 1024
"""Bytes, about, that the texts and lists take which are made, or copied for functions."""
ELEMENT = 32
"""Bytes of an element that a macro gathers, each time that its list is made anew."""
MAX_SECONDS = 0.5
"""Of a processor, from the first expression on: what one step takes grows with what it looks
through. It is a thousand times what rules take of an honest pod, and a busy machine changes
nothing."""


class SpentError(ValueError):
    """Rules would take more of a review than is left."""


class OwnReview:
    """The pod as they read it, and what they may still take, all of them together.

    It is one for all that is done about a review: what the rules find, whether what they fixed
    passes, and where the webhook vouches for a pod, what they find in it afterwards.
    The evaluator does not report what it takes, frees it only when an expression has its value,
    and makes the list of a macro anew for each element: `map` over 8,000 of them takes 1 GB.
    """

    __slots__ = ("_end", "_made", "_steps", "read")

    read: tuple[Pod, int, Document] | None
    """What was read of a pod, with the pod, and how often it had changed."""

    def __init__(self, made: int = MAX_MADE) -> None:
        """Of a review whose rules may make so many bytes."""
        self._steps = MAX_STEPS
        self._made = made
        self._end: float | None = None
        self.read = None

    @property
    def is_spent(self) -> bool:
        """Whether more was asked for than there was."""
        is_late = self._end is not None and thread_time() > self._end
        return is_late or self._steps < 0 or self._made < 0

    def begin(self) -> None:
        """Begin with an expression; raises SpentError where nothing is left for it."""
        if self._end is None:
            self._end = thread_time() + MAX_SECONDS
        self.make(0)

    def step(self, gathered: int) -> None:
        """Take a step of a macro that has gathered so many elements; raises SpentError."""
        self._steps -= 1
        self.make(gathered * ELEMENT)

    def make(self, size: int) -> None:
        """Make a text or a list of so many bytes; raises SpentError."""
        self._made -= size
        if self.is_spent:
            raise SpentError("the rules take more than is left")
