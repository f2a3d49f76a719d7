// This phone's own menu: name, role, and how to change or leave.

import { useModal } from "/page/act.js";
import { html, Icon } from "/page/ui.js";
import { Screen } from "/page/settings.js";
import { forget, phone } from "/page/store.js";
import { signal, useState } from "/page/vendor/preact.js";
import { PHONE_WORDS as SAYS } from "/page/words-phone.js";
import { WORDS } from "/page/words.js";

/** Whether the person left and was not removed. */
export const hasLeft = signal(false);

/**
 * @param {string} path
 * @param {object | null} body null for a request without a body
 * @param {"POST" | "DELETE"} [method]
 * @returns {Promise<{ status: number, body: { error?: string } & object }>} status 0 without a response
 */
export async function post(path, body, method = "POST") {
  try {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(path, body ? { method, headers, body: JSON.stringify(body) } : { method });
    return { status: answer.status, body: await answer.json() };
  } catch {
    return { status: 0, body: {} };
  }
}

/** Whether the computer deals, and a seat has a hand. */
export const isDealt = () => phone.value?.entry === "dealt";

/** @param {Server.Phone} me Role as a sentence. */
function asWhat({ role, seat, seats }) {
  const name = seats.find((one) => one.seat === seat)?.name ?? "";
  if (role === "seat") return isDealt() ? SAYS.plays(name) : SAYS.enters(name);
  return role ? `${SAYS.roles[role].title}: ${SAYS.roles[role].text}.` : "";
}

/** Its button; not on the local page. */
export function PhoneTool() {
  const [isOpen, setOpen] = useState(false);
  if (!phone.value) return null;
  return html`
    <button type="button" class="tool" data-tool="phone" title=${SAYS.tool} onClick=${() => setOpen(true)}>
      <${Icon} name="phone" /><span>${SAYS.tool}</span>
    </button>
    ${isOpen && html`<${AboutPhone} me=${phone.value} onClose=${() => setOpen(false)} />`}
  `;
}

/** @param {{ me: Server.Phone, onClose: () => void }} props */
function AboutPhone({ me, onClose }) {
  const dialog = useModal();
  const [wrong, setWrong] = useState("");
  const leave = async () => {
    hasLeft.value = true;
    const { status } = await post("/api/phone", null, "DELETE");
    if (status === 200 || status === 401) return forget();
    hasLeft.value = false;
    setWrong(SAYS.noLine);
  };
  return html`
    <dialog class="about-phone" ref=${dialog} aria-labelledby="about-phone" onClose=${onClose}>
      <h2 id="about-phone">${SAYS.number(me.number)}</h2>
      <p>${asWhat(me)}</p>
      ${wrong && html`<p class="said" role="alert">${wrong}</p>`}
      <div class="choices">
        <button type="button" class="main" onClick=${() => dialog.current?.close()}>${WORDS.close}</button>
        <a class="other" href="#role" onClick=${() => dialog.current?.close()}>${SAYS.change}</a>
        <button type="button" class="other" onClick=${leave}>${SAYS.leave}</button>
      </div>
      <details><summary>${SAYS.screen}</summary><${Screen} /></details>
    </dialog>
  `;
}
