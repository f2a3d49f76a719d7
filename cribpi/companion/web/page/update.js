// A page that is older than the program says so and reloads itself: once for each build, and when nothing is lost by it.

import { html } from "/page/html.js";
import { newest, waiting } from "/page/store.js";
import { useEffect } from "/page/vendor/preact.js";
import { WORDS } from "/page/words.js";

const READ = 1500; // milliseconds for the sentence to be read, and between looks at what is in the way
const TYPED_IN = "input:focus, textarea:focus, select:focus, dialog[open] input, dialog[open] textarea";

export function Update() {
  const build = newest.value;
  useEffect(() => {
    if (!build || wasTriedFor(build)) return undefined;
    const timer = setInterval(() => {
      if (waiting.value.length || document.querySelector(TYPED_IN)) return;
      history.replaceState({ ...history.state, build }, ""); // it outlasts the reload, also where nothing may be stored
      location.reload();
    }, READ);
    return () => clearInterval(timer);
  }, [build]);
  if (!build) return null;
  return html`<p class="update" role="status">${wasTriedFor(build) ? WORDS.outdated : WORDS.reloading}</p>`;
}

/** @param {string} build Whether the page was reloaded for it, and came back as old as before. */
const wasTriedFor = (build) => history.state?.build === build;
