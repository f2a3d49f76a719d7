"""The screens, one module for each part of a game; `cribpi.views.glass.screen` chooses among them."""
