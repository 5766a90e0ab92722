"""Contact sheets: every photograph of a game on one page."""

from pathlib import Path

from scripts import contact


def test_each_game_has_a_page_with_all_its_looks(tmp_path: Path) -> None:
    """Under the game's own name as it was photographed, step by step; what is no photograph is left out."""
    looks = ["en-800x480", "ja-720x1280-flat"]
    for what in ("01 home", "40 egypt Raise 1", "9 egypt Counts & pay"):
        for look in looks:
            (tmp_path / f"{what} {look}.png").touch()
    (tmp_path / "notes.png").touch()
    assert [file.name for file in contact.write(tmp_path)] == ["sheet-egypt.html", "sheet-pages.html"]
    page = (tmp_path / "sheet-egypt.html").read_text(encoding="utf-8")
    assert page.index("<h2>egypt Counts &amp; pay</h2>") < page.index("<h2>egypt Raise 1</h2>")
    assert page.count("<img") == len(looks) * 2
    assert 'src="40%20egypt%20Raise%201%20ja-720x1280-flat.png"' in page
