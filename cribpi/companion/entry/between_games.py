"""Scenes between games: the result, the match score, and the next game."""

from __future__ import annotations

from dataclasses import replace

from cribpi.companion.entry import corrections
from cribpi.companion.entry.choice import GameView, KeyBinding, Scene, Text, closing
from cribpi.companion.entry.effect import Effect
from cribpi.companion.entry.input_state import NO_INPUT, GameSums, InputState, MatchSoFar, NewGame
from cribpi.companion.entry.keys import side_keys_of
from cribpi.cribbage.game.events import Entry, GameStarted
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.results.games import next_game
from cribpi.cribbage.rules.grammar import does
from cribpi.cribbage.rules.shown import amount


def between_games(view: GameView) -> Scene:
    """Return the scene before a game or after its end. If a club's pairing is due, it comes first."""
    state = view.state
    if state.winner is None:
        found = Scene("No game yet", (KeyBinding("OK", "New game", view.opened(NewGame())),))
    else:
        found = _over(view, state.winner)
    pairing = view.following
    if pairing is None:
        return found
    if view.pairing is None:  # The players have not yet pressed OK at the result.
        text = Text(f"Go to round {pairing.round}: {pairing.names}", "next")
        seen = view.context.with_here(is_result_seen=True)
        return Scene(found.prompt, (KeyBinding("OK", text, Effect(NO_INPUT, context=seen)), *found.bindings))
    who = f"Board {pairing.board}, round {pairing.round} of {pairing.games}: {pairing.names}"
    text = Text(f"Start round {pairing.round}: {pairing.names}", "start")
    start = KeyBinding("OK", text, Effect(NO_INPUT, pairing.game(view.next_game.entry)))
    prompt = who if state.winner is None else f"{found.prompt}. {who}"
    return Scene(prompt, (start, *found.bindings), key_help=f"{view.pad.label_for('OK')}: Start")


def _over(view: GameView, winner: int) -> Scene:
    state, prompt = view.state, won(view.state, winner)
    if state.phase is Phase.MATCH_OVER:
        prompt += ", and the match is over"
        goes_on = KeyBinding("OK", Text("Match result", "match"), Effect(InputState(MatchSoFar())))
    else:
        then = Text("Rematch", "next") if state.rules.match == "open" else Text("Next game", "next")
        goes_on = KeyBinding("OK", then, Effect(NO_INPUT, following_game(view)))
    not_won = (
        KeyBinding(key, text, view.opened(dialog), is_likely=False)
        for key, side in side_keys_of(state.sides)
        for text, dialog in corrections.taken_back(state, winner)
        if side == winner
    )
    sums, text = view.opened(GameSums()), Text("Where the points came from", "sum")
    looks_back = (KeyBinding(key, text, sums, is_likely=False) for key in ("FLNB", "DOWN"))
    return Scene(prompt, (goes_on, *not_won, *looks_back))


def following_game(view: GameView) -> GameStarted:
    """Return the event that starts the same players' next game. Without rank keys, it is in points mode."""
    event = next_game(view.state)
    return event if view.pad.has_ranks else replace(event, entry=Entry.PEG, levels=())


def won(state: State, winner: int) -> str:
    """Format the result of the game, such as `Ann wins 121-88, a skunk`."""
    others = sorted((score for side, score in enumerate(state.scores()) if side != winner), reverse=True)
    scores = "-".join(map(str, (state.pegs[winner].front, *others)))
    said = does(state.spoken_side(winner), f"wins {scores}")
    return said + ("", ", a skunk", ", a double skunk")[max(map(state.skunk, range(state.sides)))]


def match_so_far(state: State) -> str:
    """Format each side's games won. If the match is over, name the winner."""
    said = ", ".join(
        f"{state.side_name(side)} {tally.games} ({amount(tally.points, 'point')}, {tally.spread:+})"
        for side, tally in enumerate(state.tally_now)
    )
    winners = state.match_winners
    if len(winners) == 1:
        return does(state.spoken_side(winners[0]), f"wins the match: {said}")
    return f"{'The match is drawn' if winners else 'The match so far'}: {said}"


def match(view: GameView, _dialog: MatchSoFar) -> Scene:
    state = view.state
    goes_on = KeyBinding("OK", "Go on", view.opened(None))
    if state.phase is Phase.MATCH_OVER:
        goes_on = KeyBinding("OK", "Next match", view.makes(following_game(view)))
    return Scene(match_so_far(state), (goes_on, *closing(view)))


def game_sums(view: GameView, _dialog: GameSums) -> Scene:
    goes_back = KeyBinding("OK", "Go on", view.opened(None))
    return Scene("Where the points of this game came from", (goes_back, *closing(view)))
