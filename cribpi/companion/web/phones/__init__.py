"""Phones, tablets and other screens that play along: who may, as what, and how they are reached."""
