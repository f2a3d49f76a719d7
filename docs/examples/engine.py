"""A complete cribbage engine: it keeps what scores most, and pegs what it can."""

import sys
from itertools import combinations

RANKS = "A 2 3 4 5 6 7 8 9 10 J Q K".split()


def rank(card):
    return RANKS.index(card.rstrip("CDHS"))


def pips(card):
    return min(rank(card) + 1, 10)


def worth(cards):
    """Count fifteens and pairs."""
    some = [one for size in range(2, 5) for one in combinations(cards, size)]
    pairs = sum(rank(a) == rank(b) for a, b in combinations(cards, 2))
    return 2 * pairs + 2 * sum(sum(map(pips, one)) == 15 for one in some)


def choose(position):
    hand = position["hand"].split(",")
    if "starter" not in position:  # six cards or five: keep the best four
        return max(combinations(hand, len(hand) - 4), key=lambda away: worth(set(hand) - set(away)))
    pile = position["pile"].split(",") if "pile" in position else []
    count = sum(map(pips, pile))

    def pegs(card):
        pairs = bool(pile) and rank(pile[-1]) == rank(card)
        return 2 * pairs + 2 * (count + pips(card) in (15, 31)), pips(card)

    return [max((card for card in hand if count + pips(card) <= 31), key=pegs)]


for line in sys.stdin:
    match line.split():
        case ["cei", _]:
            print("id name Python example\nid author cribpi\nceiok", flush=True)
        case ["newgame", *_]:
            print("readyok", flush=True)
        case ["position", *words]:
            position = dict(zip(words[::2], words[1::2]))
        case ["go", *_]:
            print("bestmove", ",".join(choose(position)), flush=True)
        case ["quit"]:
            break
