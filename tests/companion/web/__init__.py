"""Tests of the page and its door."""
