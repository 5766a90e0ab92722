"""What fits on a keypad's display."""

import pytest

from hardware.device_drivers import fit_to_display


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Bid more than 4", "Bid more than 4"),
        ("Ben must bid more than 4.", "Ben must bid mor"),
        ("ベン", "ﾍﾞﾝ"),
        ("ぱぴぷ", "ﾊﾟﾋﾟﾌﾟ"),
        ("がヴゔー・「」。", "ｶﾞｳﾞｳﾞｰ･｢｣｡"),
        ("ｱｷ", "ｱｷ"),
        ("５まい", "5ﾏｲ"),
        ("Zoë", "Zoe"),
        ("入札", "??"),
        ("アキ　４", "ｱｷ 4"),
        ("ヶヮ", "ｹﾜ"),
        ("tab\tbell\a", "tab?bell?"),
    ],
)
def test_a_text_fits_the_display(text: str, shown: str) -> None:
    """Kana become half-width, accents go, what can't be shown is a question mark, the rest is cut."""
    assert fit_to_display(text, width_cells=16, has_kana=True) == shown


def test_a_display_without_kana_shows_question_marks() -> None:
    """A voiced kana is one unknown letter, not two."""
    assert fit_to_display("ベン 4", width_cells=16, has_kana=False) == "?? 4"
