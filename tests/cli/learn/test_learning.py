"""Learning to play: what a turn teaches, and the whole round at the real table."""

from cli.learn.lessons import Lesson, lesson_for, play_text
from cli.scene import lays
from tests.cli.running import boneyard
from tests.cli.scenes import some_scenes


def test_a_lesson_comes_with_a_play_that_can_be_made():
    """In every scene; what is learnt is not taught again, and the own train comes first."""
    taught = set()
    for scene in some_scenes():
        learnt = set()
        while (found := lesson_for(scene, learnt)) is not None:
            lesson, move = found
            assert learnt or lesson is Lesson.OWN_TRAIN
            assert move in lays(scene)
            assert play_text(scene, move) in lesson.sentence(play_text(scene, move))
            learnt.add(lesson)
        taught |= learnt
    assert Lesson.OWN_TRAIN in taught


def test_a_round_is_taught_to_its_score(tmp_path):
    """Whatever is typed; what is no move is answered, and nothing is kept."""
    done = boneyard("learn", "--plain", data=tmp_path, text="nonsense\n" + "1\n" * 100)
    assert done.returncode == 0, done.stderr
    assert "Lesson 1 of 8, your own train: " in done.stdout
    assert "It is still your turn. The lesson wants: " in done.stdout
    assert done.stdout.count("Lesson ") >= 5
    assert "the score: The round ends" in done.stdout
    assert not (tmp_path / "tables").exists()


def test_one_may_leave_at_once(tmp_path):
    """Without a question."""
    done = boneyard("learn", "--plain", data=tmp_path, text="quit\n")
    assert done.returncode == 0
    assert done.stdout.rstrip().endswith("at any turn.")
