"""The screens of the glass, one module for each part of an evening; `cribpi.views.screen` chooses among
them.
"""
