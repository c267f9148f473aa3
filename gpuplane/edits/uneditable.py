"""Why a text is left to its author."""


class UneditableError(Exception):
    """Why a person has to change a text, as the end of a sentence."""
