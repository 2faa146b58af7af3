"""What follows every input: the due step first, then the duties, in this order."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from netgame.protocol.notices import WhyClosed
from netgame.protocol.peer.parts import Parts


def advance(parts: Parts) -> None:
    """Take what waited for the due step and write what we owe, until nothing moves."""
    place, receipt = parts.place, parts.receipt
    while place.fault is None and place.table_id and not parts.stay.is_elsewhere:
        step = place.state.step
        if parts.author.has_lost_secret(place.state) and not parts.silence.lasts():
            parts.stay.close(WhyClosed.NO_SECRET)
            return
        receipt.offer_kept(step)
        parts.pen.say_again(step)
        receipt.offer_again(step, tuple(parts.ballots.aside().values()))
        parts.deck_work.begin()
        parts.writer.write_owed()
        parts.away_votes.vote()
        if place.state.step == step:
            return


@dataclass(frozen=True, slots=True)
class Duty:
    """Something that may be due after any input; `when` says when it is."""

    when: str
    do: Callable[[Parts], None]


DUTIES: Final = (
    Duty("Our head has changed a moment ago, or has not been told for a second.",
         lambda parts: parts.heads.tell()),
    Duty("The game is over or the table has stopped, and everybody knows or has had their time.",
         lambda parts: parts.stay.leave_when_done()),
    Duty("Always: the next head is due at some time.",
         lambda parts: parts.heads.set_alarm(parts.calling.wake_at())),
    Duty("Somebody has entries that we lack, and nobody is being asked.",
         lambda parts: parts.pulls.pull_missing()),
    Duty("A member has no link to us, and no pause between two tries is running.",
         lambda parts: parts.mesh.dial_members()),
    Duty("We look for a seat in the lobby, and have read what the host has written.",
         lambda parts: parts.joiner.keep_seat()),
    Duty("The host's link is down, and no game has begun.",
         lambda parts: parts.joiner.watch_host()),
    Duty("The host's link is down, and no log says where it is.",
         lambda parts: parts.joiner.find_back()),
    Duty("We have no seat, and a member has not heard in this seating what we want.",
         lambda parts: parts.joiner.introduce()),
    Duty("We host the lobby, and somebody waits for an answer.",
         lambda parts: parts.lobby_host.take_asks()),
    Duty("Somebody asks for a seat at the next round, or was promised one and gets none.",
         lambda parts: parts.applicants.answer()),
    Duty("The game has begun with more guests than may watch.",
         lambda parts: parts.watchers.thin()),
    Duty("Our guests are others than a member was told.",
         lambda parts: parts.watchers.tell_guests()),
    Duty("The host's process has been gone for a while, or is back.",
         lambda parts: parts.deputy.stand_in()),
    Duty("Our log has come to where the table was when we found it.",
         lambda parts: parts.news.come_level()),
    Duty("We wait for a seat, and the log has none any more.",
         lambda parts: parts.joiner.lose_hope()),
    Duty("A member's link has come up or gone down.",
         lambda parts: parts.presence.tell_links()),
    Duty("A watcher has come, or has been gone for a while.",
         lambda parts: parts.presence.tell_watchers()),
)  # fmt: skip
"""In the order in which they are looked at: effects leave in this order."""
