"""What is wrong in a form and where: a path into the TOML and a sentence."""

from dataclasses import dataclass

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Mistake:
    path: Path
    sentence: str
