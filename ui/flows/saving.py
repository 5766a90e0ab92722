"""The record of a finished game as a file: which form, and then where it lies.

It writes nothing itself; the evening does.
"""

from __future__ import annotations

from kivy.uix.gridlayout import GridLayout

from ui import theme
from ui.host import TableHost
from ui.widgets.drawing.putting import put
from ui.widgets.keys.key import Key
from ui.widgets.sheets.dialog import Dialog


def save(app: TableHost) -> None:
    """Asks on the app's stage in which form, and says where the file is, or why there is none."""
    tr, lang = app.tr, app.lang
    forms = {
        "html": tr("A page to read and print (HTML)"),
        "csv": tr("A table for a spreadsheet (CSV)"),
        "json": tr("All data, for programs (JSON)"),
    }

    def write(form: str) -> None:
        file = app.evening.export(form, lang)
        app.tell(tr("The record was saved as {file}.", file=str(file)))

    keys = [Key(name=form, text=text) for form, text in forms.items()]
    grid = put(GridLayout(cols=1, spacing=theme.length.gap), *keys)
    dialog = Dialog(title=tr("Save the record"), body=grid, answers=[("close", tr("Close"), "paper")])
    dialog.tall = 0.94
    dialog.leave_with(keys, lambda key: app.tries(lambda: write(key.name)))
    app.stage.lay(dialog)
