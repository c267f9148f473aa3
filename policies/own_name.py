"""The name of a rule of a platform team's own."""

from __future__ import annotations


class OwnName(str):
    """A name that is not among those of `RuleName`, and is read as one of them."""

    __slots__ = ()

    @property
    def value(self) -> str:
        """The name, as a member of an enumeration has it."""
        return str(self)
