"""Cribbage as a library: rules, game, records, statistics, analysis, players, reviews."""
