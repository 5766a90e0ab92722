// The page that says how to get a seat.

import { startLook } from "/static/look.js";

startLook(() => {});
