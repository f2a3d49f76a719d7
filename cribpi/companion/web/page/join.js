// Joining by phone: enter the code, choose a role, wait for the game.

import { hasLeft, isDealt, PhoneTool } from "/page/phones.js";
import { post } from "/page/queue.js";
import { begun, connect, now, offline, phone, takePhone } from "/page/store.js";
import { classes, Header, Home, html, Icon, Peg, sideOf } from "/page/ui.js";
import { effect, useEffect, useRef, useState } from "/page/vendor/preact.js";
import { PHONE_WORDS as SAYS } from "/page/words-more.js";

const LENGTH = 6;
const IN_ADDRESS = /^\/j\/([^/]+)\/?$/i;

/** State of this phone as seen by this page, including what was loaded with it, which may have ended by now. */
const seen = { known: Boolean(begun?.phone), role: Boolean(begun?.phone?.role), chose: false };
effect(() => {
  const me = phone.value;
  if (me) seen.known = true;
  if (me?.role) Object.assign(seen, { role: true, chose: false });
});

/** @param {string} typed In capitals, without characters that codes don't have. */
const cleaned = (typed) => typed.toUpperCase().replace(/[^A-Z0-9]/g, "").slice(0, LENGTH);

/** Return the code of the address, once. */
function codeOfAddress() {
  const [, code = ""] = IN_ADDRESS.exec(location.pathname) ?? [];
  if (code) history.replaceState(null, "", "/");
  return cleaned(code);
}

/** @type {Record<Server.Role, "cards" | "keypad" | "screen" | "watch">} */
const ICONS = { seat: "cards", keypad: "keypad", scoreboard: "screen", watch: "watch" };


/** @type {() => string} Why this phone must join again. */
const farewell = () => (!seen.known ? "" : hasLeft.value ? SAYS.left : SAYS.removed);

/** Asks for the code, or sends the one of the address. */
export function Join() {
  const [code, setCode] = useState(codeOfAddress);
  const [wrong, setWrong] = useState("");
  const [isSending, setSending] = useState(false);
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const send = async () => {
    if (isSending) return;
    if (code.length !== LENGTH) return void setWrong(SAYS.six);
    setSending(true);
    const answer = await post("/api/join", { code });
    setSending(false);
    if (answer?.status === 200) return void (takePhone(answer.body), connect());
    setWrong(answer ? String(answer.body.error) : SAYS.noLine);
    setCode("");
    field.current?.focus();
  };
  useEffect(() => {
    if (code.length === LENGTH) send();
  }, [code]);
  const typed = (/** @type {InputEvent & { target: HTMLInputElement }} */ { target }) => {
    target.value = cleaned(target.value);
    setCode(target.value);
    setWrong("");
  };
  const said = wrong || farewell();
  return html`
    <main class="phone-page join">
      <${Home} as="p" />
      <h1>${SAYS.join}</h1>
      ${said && html`<p class="said" role="alert">${said}</p>`}
      <form onSubmit=${(/** @type {Event} */ event) => (event.preventDefault(), send())}>
        <label><span>${SAYS.scan}</span>
          <input ref=${field} value=${code} aria-label=${SAYS.code} placeholder="AB12CD" autocomplete="off" autocapitalize="characters"
            autocorrect="off" spellcheck="false" enterkeyhint="go" onInput=${typed} /></label>
        <button type="submit" class="main" disabled=${isSending}>${isSending ? SAYS.joining : SAYS.joins}</button>
      </form>
      <p><small>${SAYS.where}</small></p>
    </main>
  `;
}

/** Role selection of this phone. */
export function Roles() {
  const [wrong, setWrong] = useState("");
  const me = phone.value;
  if (!me) return null;
  const choose = async (/** @type {Server.Role} */ role, /** @type {Server.Seat | null} */ seat = null) => {
    seen.chose = true;
    const answer = await post("/api/phone", seat === null ? { role } : { role, seat });
    if (answer?.status !== 200) return void setWrong(answer ? String(answer.body.error) : SAYS.noLine);
    takePhone(answer.body);
    if (location.hash) history.replaceState(null, "", "/");
    dispatchEvent(new HashChangeEvent("hashchange"));
  };
  const said = wrong || offline.value || (seen.role && !me.role && !seen.chose ? SAYS.seatLost : "");
  const own = isDealt() ? SAYS.roles.seat.text : SAYS.seatWithCards;
  const others = /** @type {const} */ (["keypad", "scoreboard", "watch"]);
  return html`
    <main class="phone-page roles">
      <${Home} as="p" />
      <h1>${SAYS.who}</h1>
      ${said && html`<p class="said" role="alert">${said}</p>`}
      <ul class="choices">
        ${me.seats.map(({ seat, name, phone: number }) => {
          const isTaken = number !== null && number !== me.number;
          const text = isTaken ? SAYS.takenBy(number) : number ? SAYS.yours : own;
          return html`<li key=${`seat ${seat}`}><button type="button" class=${classes("choice", isTaken && "taken")} disabled=${isTaken}
            onClick=${() => choose("seat", seat)}>
            <${Icon} name="cards" /><span><b>${SAYS.playAs(name)}</b><small>${text}</small></span></button></li>`;
        })}
        ${others.map((role) => html`<li key=${role}><button type="button" class="choice" onClick=${() => choose(role)}>
          <${Icon} name=${ICONS[role]} /><span><b>${SAYS.roles[role].title}</b>
            <small>${me.role === role ? SAYS.yours : SAYS.roles[role].text}</small></span></button></li>`)}
      </ul>
      ${me.role && html`<a class="other" href="#">${SAYS.back}</a>`}
    </main>
  `;
}

/** Players, until the game starts. */
export function Lobby() {
  const me = phone.value;
  if (!me) return null;
  const where = (/** @type {number | null} */ number) =>
    (number === null ? SAYS.noPhone : number === me.number ? SAYS.thisPhone : SAYS.onPhone(number));
  return html`
    <main class=${classes("phone-page", "lobby", me.role === "scoreboard" && "far")}>
      <${Header} home="p" to=""><${PhoneTool} /><//>
      <h1>${SAYS.startsAtBoard}</h1>
      ${me.role === "seat" && isDealt() && html`<p>${SAYS.startsText}</p>`}
      ${offline.value && html`<p class="said" role="status">${offline.value}</p>`}
      <h2>${SAYS.seats}</h2>
      <ul class="choices">
        ${me.seats.map(({ seat, name, phone: number }) => html`<li key=${seat} class=${classes("choice", number === me.number && "own")}>
          <${Peg} side=${sideOf(seat, now.value?.page.names.length ?? 0)} />
            <span><b><bdi>${name}</bdi></b><small>${where(number)}</small></span></li>`)}
      </ul>
    </main>
  `;
}
