// What fails on this page is told the board's log: each fault once, and only so many, as a page may fail over and over.

import { HEADERS } from "/page/presses.js";

const MOST = 5;
const LONGEST = 200; // characters
const OURS = /\/page\/[\w/-]+\.js:\d+:\d+/; // the lines of what is sent are those of the file
/** @type {Set<string>} */
const told = new Set();

/** @param {unknown} error */
export function report(error) {
  console.error(error);
  const fault = String(error).slice(0, LONGEST);
  if (told.has(fault) || told.size >= MOST) return;
  told.add(fault);
  const where = (error instanceof Error && OURS.exec(error.stack ?? "")?.[0]) || "";
  const body = JSON.stringify({ fault, at: location.hash.slice(0, LONGEST), where });
  fetch("/api/fault", { method: "POST", headers: HEADERS, body }).catch(() => {}); // without a line it is told nobody
}

// Whatever fails outside of what is drawn: in an answer to a press, or in what was to come later.
addEventListener("error", ({ error }) => error && report(error));
addEventListener("unhandledrejection", ({ reason }) => report(reason));
