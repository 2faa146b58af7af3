"""The benchmark of floods, which sends useless frames until the link is dropped."""

from bench import flood


def test_every_flood_is_measured_and_ends():
    """Each flood is measured, and its link is dropped before its last frame is sent."""
    figures = {figure.name: figure for figure in flood.measure(most=1)}
    assert len(figures) == 1 + 2 * len(flood.GOALS)
    assert all(figure.value > 0 for figure in figures.values())
    ends = [figure for name, figure in figures.items() if name.endswith("until dropped")]
    assert len(ends) == len(flood.GOALS)
    assert all(figure.ok for figure in ends)
