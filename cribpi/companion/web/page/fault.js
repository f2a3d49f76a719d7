// Reports page errors to the board's log: each once, and up to a limit, as a page may fail repeatedly.

import { post } from "/page/queue.js";

const MOST = 5;
const LONGEST = 200; // characters
const OURS = /\/page\/[\w/-]+\.js:\d+:\d+/; // lines as in the source file
/** @type {Set<string>} */
const sent = new Set();

/** @param {unknown} error */
export function report(error) {
  console.error(error);
  const fault = String(error).slice(0, LONGEST);
  if (sent.has(fault) || sent.size >= MOST) return;
  sent.add(fault);
  const where = (error instanceof Error && OURS.exec(error.stack ?? "")?.[0]) || "";
  post("/api/fault", { fault, at: location.hash.slice(0, LONGEST), where }); // not retried offline
}

// Errors outside of drawing: in responses and in loading.
addEventListener("error", ({ error }) => error && report(error));
addEventListener("unhandledrejection", ({ reason }) => report(reason));
