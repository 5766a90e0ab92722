"""The state of a table: seats, places, pieces, accounts, known cards, moves and scores.

The package knows no rule, no question and no log.
"""
