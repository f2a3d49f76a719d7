"""The screens of the glass, one module for each part of an evening; `cribpi.views.glass.screen` chooses among
them.
"""
