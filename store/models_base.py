"""What the tables of a study have in common: one registry of our own, and checks of closed vocabularies."""

from enum import StrEnum

from sqlalchemy import CheckConstraint
from sqlalchemy.orm import registry
from sqlmodel import SQLModel


class Base(SQLModel, registry=registry()):
    """A registry of our own: no other SQLModel class of the process gets into a study."""


def one_of(column: str, vocabulary: type[StrEnum], *, optional: bool = False) -> CheckConstraint:
    words = ", ".join(f"'{word.value}'" for word in vocabulary)
    rule = f"{column} IN ({words})"
    return CheckConstraint(f"{column} IS NULL OR {rule}" if optional else rule, name=f"known_{column}")


def check(name: str, rule: str) -> CheckConstraint:
    return CheckConstraint(rule, name=name)
