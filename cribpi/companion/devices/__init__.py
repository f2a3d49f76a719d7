"""Thin drivers that decide nothing, and the emulated chips."""
