// Sharing a finished game: picture and record, by the system's dialog or as downloads.

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
  const [svg = "", record = ""] = await Promise.all(["svg", "crib"].map((kind) => textOf(`/api/games/${number}.${kind}`)));
  const files = [
    new File([await pictureOf(svg)], `game-${number}.png`, { type: "image/png" }),
    new File([record], `game-${number}.crib`, { type: "text/plain" }),
  ];
  const title = new DOMParser().parseFromString(svg, "image/svg+xml").querySelector("title")?.textContent ?? "";
  if (navigator.canShare?.({ files })) return navigator.share({ files, title: SAYS.pictureOf(title) }).then(() => "", isLeft);
  files.forEach(download);
  return SAYS.savedToShare;
}

/** @param {unknown} error Whether the user closed the dialog, which is no error. */
function isLeft(error) {
  if (error instanceof DOMException && error.name === "AbortError") return "";
  throw error;
}

/** @param {string} path */
async function textOf(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.text();
}

/**
 * Draw an SVG as a PNG, in the browser's own fonts where the SVG has none.
 * @param {string} svg
 * @returns {Promise<Blob>}
 */
async function pictureOf(svg) {
  const image = Object.assign(new Image(), { src: `data:image/svg+xml,${encodeURIComponent(svg)}` });
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png"));
}

/** @param {File} file */
function download(file) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
