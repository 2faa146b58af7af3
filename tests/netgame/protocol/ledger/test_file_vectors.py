"""The vector files are those of the generator, which finds each verdict with the program.

[protocol.md §6, §9]
"""

import pytest

from tests.vectors import record_files

pytestmark = pytest.mark.real_group


def test_files_are_what_the_generator_writes():
    """The vector files are exactly those that the generator writes."""
    made = record_files.documents()
    assert {path.name for path in record_files.FOLDER.iterdir()} == set(made)
    for name, content in made.items():
        assert (record_files.FOLDER / name).read_bytes() == content, name
