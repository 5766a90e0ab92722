"""What lies on a table: seats, places, pieces, cards and who knows them, moves, and the score.

No rule is known here, no question and no log.
"""
