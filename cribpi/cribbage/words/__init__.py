"""The game in players' words: counts, events, and the rules behind them."""
