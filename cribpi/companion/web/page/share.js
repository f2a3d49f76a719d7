// Sharing a finished game: picture and record, by the system's dialog or as downloads.

import { pictureOf, titleOf } from "/page/picture.js";
import { load } from "/page/store.js";
import { html } from "/page/ui.js";
import { useState } from "/page/vendor/preact.js";
import { END as SAYS } from "/page/words-more.js";

/** @param {{ number: number }} props */
export function Share({ number }) {
  const [said, say] = useState("");
  const share = () => shared(number).then(say, () => say(SAYS.notShared));
  return html`<button type="button" class="other" onClick=${share}>${SAYS.share}</button>
    <span class="told" role="status">${said}</span>`;
}

/**
 * Share a game, and return the outcome as a text.
 * @param {number} number
 */
async function shared(number) {
  const game = /** @type {Server.PastGame} */ (await load(`/api/games/${number}`));
  const [picture, record] = await Promise.all([pictureOf(game), recordOf(number)]);
  const files = [new File([picture], `game-${number}.png`, { type: "image/png" }), record];
  const title = SAYS.pictureOf(titleOf(game));
  if (navigator.canShare?.({ files })) return navigator.share({ files, title }).then(() => "", isLeft);
  files.forEach(download);
  return SAYS.savedToShare;
}

/** @param {unknown} error Whether the user closed the dialog, which is no error. */
function isLeft(error) {
  if (error instanceof DOMException && error.name === "AbortError") return "";
  throw error;
}

/** @param {number} number */
async function recordOf(number) {
  const answer = await fetch(`/api/games/${number}.crib`);
  if (!answer.ok) throw new Error(String(answer.status));
  return new File([await answer.blob()], `game-${number}.crib`, { type: "text/plain" });
}

/** @param {File} file */
function download(file) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
