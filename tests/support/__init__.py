"""Shared test tools: a second scorer, a second referee, random tables, and stand-ins for devices."""
