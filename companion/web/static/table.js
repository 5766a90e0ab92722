// The page that shows the table to everybody, on a large screen or any browser. Nobody can change anything here.

import { watchTable } from "/static/connection.js";
import { byId } from "/static/dom.js";
import { startLook } from "/static/look.js";
import { text } from "/static/texts.js";
import { setClocks, showClocks, showTable } from "/static/view.js";

const PARTS = ["title", "table", "turn", "result", "revealed", "seats", "lot", "happened"];
const parts = Object.fromEntries(PARTS.map((name) => [name, byId(name)]));
let state = { game: null };
let stop = () => {};

function show(next) {
  state = next;
  showTable(parts, state);
  if (state.game !== null) setClocks(byId("clocks"), state);
}

function showStatus(status) {
  document.body.dataset.state = status;
  byId("status").textContent = status === "connecting" ? text("connecting") : "";
}

setInterval(() => state.game && showClocks(byId("clocks"), state), 250);
startLook((language) => {
  stop();
  stop = watchTable(language, { onState: show, onStatus: showStatus });
});
