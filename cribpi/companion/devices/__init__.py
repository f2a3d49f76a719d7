"""Thin drivers that decide nothing, and emulated chips for them."""
