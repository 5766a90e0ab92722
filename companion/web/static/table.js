// The page that shows the table to everybody, on a large screen or any browser. Nobody can change anything here.

import { watchTable } from "/static/connection.js";
import { byId } from "/static/dom.js";
import { startLook, wantedLanguages } from "/static/look.js";
import { text } from "/static/texts.js";
import { setClocks, showClocks, showTable } from "/static/view.js";

const PARTS = ["title", "table", "turn", "result", "revealed", "seats", "lot", "happened"];
const parts = Object.fromEntries(PARTS.map((name) => [name, byId(name)]));
let state = { game: null };
let status = "connecting";
let stop = null;
let hasTexts = false;

function show() {
  if (!hasTexts) return;
  document.body.dataset.state = status;
  byId("status").textContent = status === "connecting" ? text("connecting") : "";
  showTable(parts, state);
  if (state.game !== null) setClocks(byId("clocks"), state);
}

function watch() {
  stop?.();
  stop = watchTable(wantedLanguages(), {
    onState: (next) => {
      state = next;
      show();
    },
    onStatus: (next) => {
      status = next;
      show();
    },
  });
}

watch();
setInterval(() => state.game && hasTexts && showClocks(byId("clocks"), state), 250);
startLook(() => {
  if (hasTexts) watch(); // in another language
  hasTexts = true;
  show();
});
