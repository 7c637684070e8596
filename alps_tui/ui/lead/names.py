"""What raters are called on a lead's screens: letters, so that an answer is read before its giver; names at a key."""

from collections.abc import Iterable


class Names:
    """Letters for raters, the same on every screen of a program; `named` says whether the names stand with them."""

    def __init__(self, raters: Iterable[str] = ()) -> None:
        self._letters: dict[str, str] = {}
        self.named = False
        self.know(raters)

    def know(self, raters: Iterable[str]) -> None:
        """Give a letter to each of these who has none, by name."""
        for rater in sorted(set(raters) - self._letters.keys()):
            self._letters[rater] = letters(len(self._letters))

    def of(self, rater: str) -> str:
        """`A`, or `A ana` while they are named."""
        if rater not in self._letters:
            self.know((rater,))
        letter = self._letters[rater]
        return f"{letter} {rater}" if self.named else letter

    def known(self, name: str) -> str:
        """A rater as `of` says it; a name that is none of a rater (a side of a double annotation) as it is."""
        return self.of(name) if name in self._letters else name

    def turn(self) -> str:
        """Name them, or no longer; the sentence that says so."""
        self.named = not self.named
        return "Raters are named." if self.named else "Raters are letters again."


def letters(place: int) -> str:
    """A, B, … Z, AA, AB, …"""
    name, place = "", place + 1
    while place:
        place, letter = divmod(place - 1, 26)
        name = chr(ord("A") + letter) + name
    return name
