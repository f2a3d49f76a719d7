// Phones: the list of them in the settings, and on a phone its own menu.

import { Modal } from "/page/act.js";
import { Select } from "/page/fields.js";
import { post } from "/page/queue.js";
import { useResource } from "/page/resource.js";
import { Screen } from "/page/settings.js";
import { forget, now, offline, phone } from "/page/store.js";
import { Header, html, Icon } from "/page/ui.js";
import { signal, useEffect, useState } from "/page/vendor/preact.js";
import { PAST, PHONE_WORDS as SAYS } from "/page/words-more.js";
import { WORDS } from "/page/words.js";

const SECOND = 1000;
const QUIET = 4; // modules around the code
const WITHOUT_SEAT = /** @type {const} */ (["keypad", "scoreboard", "watch"]);

/** @typedef {Server.PhonesBody} Wish */

export const PhonesPage = () => html`
  <main class="settings-page">
    <${Header} />
    <${Phones} isPage=${true} />
  </main>
`;

/** @param {{ isPage?: boolean }} props */
export function Phones({ isPage = false }) {
  const { found, isFailed, again } = useResource("/api/phones", now.value, offline.value);
  const [refused, setRefused] = useState("");
  const send = async (/** @type {Wish} */ wish) => {
    const answer = await post("/api/phones", wish);
    setRefused(answer?.status === 200 ? "" : (answer?.body.error ?? SAYS.failed));
    again(); // the response may be older than the events received since
  };
  return html`
    <section class="phones" aria-labelledby="phones">
      <${isPage ? "h1" : "h2"} id="phones">${WORDS.phones}<//>
      <p>${SAYS.text}</p>
      ${(refused || isFailed) && html`<p class="remark wrong" role="alert">${refused || SAYS.failed}</p>`}
      ${found && (found.open ? html`<${Open} found=${found} onWish=${send} onOld=${again} />` : html`
        <div class="setting"><span>${found.trouble && html`<small>${found.trouble}</small>`}</span>
          <button type="button" class=${isPage ? "main" : "other"} onClick=${() => send({ phones: "open" })}>${SAYS.open}</button></div>`)}
    </section>
  `;
}

/** @param {{ found: Server.Phones, onWish: (wish: Wish) => void, onOld: () => void }} props */
const Open = ({ found, onWish, onOld }) => html`
  <div class="setting joining">
    ${found.modules.length > 0 && html`<${Code} modules=${found.modules} />`}
    ${found.trouble ? html`<p class="remark wrong" role="status">${found.trouble}</p>` : html`
      <div><p>${SAYS.scanHere} ${SAYS.orOpen}</p>
        <p class="address">${found.address.replace("http://", "")}</p>
        <p class="code" aria-label=${[...found.code].join(" ")}>${found.code.slice(0, 3)} ${found.code.slice(3)}</p>
        <${Left} key=${found.code} seconds=${found.seconds} onOld=${onOld} /></div>`}
  </div>
  ${!now.value?.state.sides.length && html`<p>${SAYS.then} <a href="#">${SAYS.startGame}</a></p>`}
  <h3>${SAYS.here}</h3>
  ${found.phones.length === 0 && html`<p><small>${SAYS.nobody}</small></p>`}
  <ul class="choices">
    ${found.phones.map((one) => html`<li class="choice" key=${one.number}>
      <${Icon} name=${one.role === "scoreboard" ? "screen" : "phone"} />
        <span><${What} one=${one} seats=${found.seats} onWish=${onWish} /><small>${SAYS.number(one.number)} · ${one.kind}</small></span>
      <button type="button" class="other" aria-label=${SAYS.removeOf(one.number)}
        onClick=${() => onWish({ remove: one.number })}>${PAST.remove}</button></li>`)}
  </ul>
  <div class="setting"><span><small>${SAYS.closes}</small></span>
    <button type="button" class="other" onClick=${() => onWish({ phones: "close" })}>${SAYS.close}</button></div>
`;

/**
 * A phone's role and the alternatives. A seat taken from another phone moves over.
 * @param {{ one: Server.Phones["phones"][number], seats: Server.Phones["seats"], onWish: (wish: Wish) => void }} props
 */
function What({ one, seats, onWish }) {
  const is = `${one.role ?? ""} ${one.seat ?? ""}`;
  const pick = (/** @type {string} */ value) => {
    const [role, seat] = value.split(" ");
    onWish({ give: one.number, role: /** @type {Server.Role} */ (role) || null, seat: seat ? Number(seat) : null });
  };
  const choices = [
    { value: " ", title: SAYS.choosing },
    ...seats.map(({ seat, name }) => ({ value: `seat ${seat}`, title: SAYS.playAs(name) })),
    ...WITHOUT_SEAT.map((role) => ({ value: `${role} `, title: SAYS.roles[role].title })),
  ];
  return html`<${Select} label=${SAYS.whatIs(one.number)} value=${is} choices=${choices} onChoose=${pick} />`;
}

/** @param {{ seconds: number, onOld: () => void }} props Seconds until the code is replaced. */
function Left({ seconds, onOld }) {
  const [end] = useState(() => Date.now() + SECOND * seconds);
  const [left, setLeft] = useState(Math.ceil(seconds));
  useEffect(() => {
    const timer = setInterval(() => {
      const still = Math.ceil((end - Date.now()) / SECOND);
      setLeft(Math.max(0, still));
      if (still < 0) onOld();
    }, SECOND);
    return () => clearInterval(timer);
  }, []);
  return html`<p><small>${SAYS.newCode(`${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`)}</small></p>`;
}

/** @param {{ modules: number[][] }} props Always dark on light, for cameras. */
function Code({ modules }) {
  const size = modules.length + 2 * QUIET;
  const path = modules.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : []))).join("");
  return html`
    <svg class="qr" viewBox=${`0 0 ${size} ${size}`} role="img" aria-label=${SAYS.picture} shape-rendering="crispEdges">
      <rect width=${size} height=${size} /><path d=${path} />
    </svg>
  `;
}

// --- This phone's own menu: name, role, and how to change or leave.

/** Whether the person left and was not removed. */
export const hasLeft = signal(false);

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
  const [wrong, setWrong] = useState("");
  const leave = async () => {
    hasLeft.value = true;
    const answer = await post("/api/phone", undefined, "DELETE");
    if (answer?.status === 200 || answer?.status === 401) return forget();
    hasLeft.value = false;
    setWrong(SAYS.noLine);
  };
  return html`
    <${Modal} kind="about-phone" aria-labelledby="about-phone" onClose=${onClose}>
      <h2 id="about-phone">${SAYS.number(me.number)}</h2>
      <p>${asWhat(me)}</p>
      ${wrong && html`<p class="said" role="alert">${wrong}</p>`}
      <div class="choices">
        <button type="button" class="main" onClick=${onClose}>${WORDS.close}</button>
        <a class="other" href="#role" onClick=${onClose}>${SAYS.change}</a>
        <button type="button" class="other" onClick=${leave}>${SAYS.leave}</button>
      </div>
      <details><summary>${SAYS.screen}</summary><${Screen} /></details>
    <//>
  `;
}
