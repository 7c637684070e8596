"""What holds for every test: no example of a property is timed, since machines are busy now and then, and what is kept
beside a study that cannot be written never lands in the folders of whoever runs the tests."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None, max_examples=50)
settings.load_profile("untimed")


@pytest.fixture(autouse=True, scope="session")
def state_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The user's own folder for what outlives a program is one of the tests'."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield
