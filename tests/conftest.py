"""Knows how the suite runs: properties without deadlines, since speed is measured in tests/bench, never asserted here."""

from hypothesis import settings

settings.register_profile("seerule", deadline=None, derandomize=True)
settings.load_profile("seerule")
