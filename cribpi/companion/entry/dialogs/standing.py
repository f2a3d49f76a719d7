"""The match so far: what each side has won in it; and what the game that is over came to."""

from __future__ import annotations

from cribpi.companion.entry.choice import Offer, Place, Scene, closing, following_game, scene
from cribpi.companion.entry.desk import GameSums, MatchSoFar
from cribpi.cribbage.game.state import Phase, State, side_name
from cribpi.cribbage.rules.shown import amount


def match_so_far(state: State) -> str:
    """Say what each side has won, and who has won the match."""
    said = ", ".join(
        f"{side_name(state, side)} {tally.games} ({amount(tally.points, 'point')}, {tally.spread:+})"
        for side, tally in enumerate(state.tally_now)
    )
    winners = state.match_winners
    if len(winners) == 1:
        return f"{side_name(state, winners[0])} wins the match: {said}"
    return f"{'The match is drawn' if winners else 'The match so far'}: {said}"


def match(place: Place, _dialog: MatchSoFar) -> Scene:
    state = place.state
    goes_on = Offer("OK", "Go on", place.opened(None))
    if state.phase is Phase.MATCH_OVER:
        goes_on = Offer("OK", "Next match", place.makes(following_game(place)))
    return scene(match_so_far(state), (goes_on, *closing(place)))


def game_sums(place: Place, _dialog: GameSums) -> Scene:
    goes_back = Offer("OK", "Go on", place.opened(None))
    return scene("What each side got in this game", (goes_back, *closing(place)))
