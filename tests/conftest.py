"""What holds for every test: no example of a property is timed, since machines are busy now and then."""

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
