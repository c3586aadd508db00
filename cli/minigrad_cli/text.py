"""Text of the user's, made safe to print: nothing in it is ever interpreted by a terminal."""

from __future__ import annotations

from minigrad_grammar.names import INVISIBLE


def printable(text: str) -> str:
    r"""Return ``text`` with every character that a terminal might act on written as an escape: \x1b, \u202e."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(character) for character in text)


def _escaped(character: str) -> str:
    import unicodedata  # most texts do without

    if unicodedata.category(character) not in INVISIBLE:
        return character
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")
