"""The record of a finished game as a file: which form, and then where it lies.

It writes nothing itself; the evening does.
"""

from __future__ import annotations

from kivy.uix.gridlayout import GridLayout

from companion.errors import CompanionError
from companion.words import render
from ui import theme
from ui.host import TableHost
from ui.widgets.keys.key import Key
from ui.widgets.sheets.dialog import Dialog


def save(app: TableHost) -> None:
    """Asks on the app's stage in which form, and says where the file is, or why there is none."""
    tr, lang = app.tr, app.lang
    grid = GridLayout(cols=1, spacing=theme.length.gap)
    dialog = Dialog(title=tr("Save the record"), body=grid, answers=[("close", tr("Close"), "paper")])
    dialog.tall = 0.94
    forms = {
        "html": tr("A page to read and print (HTML)"),
        "csv": tr("A table for a spreadsheet (CSV)"),
        "json": tr("Everything for programs (JSON)"),
    }

    def write(key: Key) -> None:
        app.stage.take(dialog)
        try:
            file = app.evening.headless.export(key.name, app.lang)
        except CompanionError as error:
            app.tell(render(error.text, lang))
        else:
            app.tell(tr("The record is in the file {file}.", file=str(file)))

    for form, text in forms.items():
        grid.add_widget(Key(name=form, text=text, on_release=write))
    app.stage.lay(dialog)
