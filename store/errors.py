"""What can go wrong in the store, each with one sentence for people."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from store.records import ItemAnswers


class StoreError(Exception):
    """Base of all: `str(error)` is a sentence that says what is wrong, where, and what to do."""


class StudyMissing(StoreError):
    """There is no study at the path, or no folder to make one in."""


class StudyBusy(StoreError):
    """Another program held the write lock for longer than the busy timeout."""


class StudyNewer(StoreError):
    """The study was written by a later version of this program."""


class StudyUnsafe(StoreError):
    """The place cannot keep the promise that what is saved stays saved (a network filesystem)."""


class StudyUnreadable(StoreError):
    """The file is not a study, is damaged, or may not be read or written by this user."""


class StudyDamaged(StudyUnreadable):
    """What SQLite finds in the file contradicts itself."""


class StudyReadOnly(StoreError):
    """A write was asked of a study that was opened for reading."""


class NotPossible(StoreError):
    """An act that the rules of a study do not allow now. Nothing was written."""


class Conflict(StoreError):
    """An act that contradicts what is already in the log (its id was used for another act)."""


class ChangedElsewhere(Conflict):
    """An act made on a state of its item that another window has changed since. Nothing was written.

    answers   what the item says now
    """

    def __init__(self, sentence: str, answers: "ItemAnswers") -> None:
        super().__init__(sentence)
        self.answers = answers
