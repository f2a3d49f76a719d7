// Removal of a past game from lists and statistics, with confirmation and undo.

import { useModal } from "/page/act.js";
import { post } from "/page/queue.js";
import { capital, html, Icon } from "/page/ui.js";
import { useState } from "/page/vendor/preact.js";
import { PAST } from "/page/words-more.js";
import { WORDS } from "/page/words.js";

/** @param {{ number: number, isIcon?: boolean, wasRemoved?: boolean }} props Button to remove a game, then to restore it; small in lists. */
export function Removal({ number, isIcon = false, wasRemoved = false }) {
  const [isRemoved, setRemoved] = useState(wasRemoved);
  const [isAsked, setAsked] = useState(false);
  const [wrong, setWrong] = useState("");
  const close = () => (setAsked(false), setWrong(""));
  const send = async () => {
    const answer = await post("/api/games", { [isRemoved ? "restore" : "remove"]: number });
    if (answer?.status !== 200) return setWrong(answer ? capital(answer.body.error) : WORDS.unreachable);
    close();
    return setRemoved(!isRemoved);
  };
  const label = isRemoved ? PAST.putBack(number) : PAST.removeOf(number);
  return html`
    <div class="removal" data-removed=${isRemoved || null}>
      <span role="status">${isRemoved ? wrong || PAST.removed(number) : ""}</span>
      <button type="button" class=${isIcon && !isRemoved ? "tool" : "other"} aria-label=${label} title=${label} onClick=${isRemoved ? send : () => setAsked(true)}>
        ${isRemoved ? WORDS.undo : isIcon ? html`<${Icon} name="close" />` : PAST.remove}</button>
      ${isAsked && html`<${Sure} number=${number} wrong=${wrong} onSure=${send} onClose=${close} />`}
    </div>
  `;
}

/** @param {{ number: number, wrong: string, onSure: () => void, onClose: () => void }} props */
function Sure({ number, wrong, onSure, onClose }) {
  const dialog = useModal();
  return html`
    <dialog class="held-menu" ref=${dialog} aria-labelledby="sure" aria-describedby="goes" onClose=${onClose}>
      <h2 id="sure">${PAST.sure(number)}</h2>
      <p id="goes">${PAST.goes}</p>
      ${wrong && html`<p class="refused" role="alert">${wrong}</p>`}
      <button type="button" class="main" onClick=${onSure}>${PAST.remove}</button>
      <button type="button" class="other" onClick=${onClose}>${WORDS.cancel}</button>
    </dialog>
  `;
}
