// Shows what is new as soon as it is there, and leaves alone what somebody is typing or has open.

const root = document.documentElement;
const FIELDS = "input:not([type=hidden]), textarea, select";

// Something is typed or chosen that was not so on the page as it came.
function isEdited() {
  return [...document.querySelectorAll(`main :is(${FIELDS})`)].some((field) =>
    field.options
      ? field.selectedIndex !== Math.max([...field.options].findIndex((one) => one.defaultSelected), 0)
      : field.value !== field.defaultValue || field.checked !== field.defaultChecked,
  );
}

const isBusy = () => isEdited() || Boolean(document.activeElement?.matches(FIELDS));
const folds = (page) => [...page.querySelectorAll("main details")];
const nameOf = (fold) => (fold.closest("[id]")?.id ?? "") + fold.querySelector("summary").textContent;

async function refresh() {
  const answer = await fetch(location.href);
  if (!answer.ok || answer.redirected) return location.reload();
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (isBusy()) return;
  const open = new Set(folds(document).filter((fold) => fold.open).map(nameOf));
  document.querySelector("main").replaceWith(page.querySelector("main")); // what was said stays until the next click
  for (const fold of folds(document)) fold.open ||= open.has(nameOf(fold));
  root.dataset.version = page.documentElement.dataset.version;
}

async function look() {
  try {
    const { version } = await (await fetch("/news")).json();
    if (String(version) !== root.dataset.version && !isBusy()) await refresh();
  } catch {
    // the desk is away; it comes back
  }
  setTimeout(look, 1000);
}

document.addEventListener("submit", (event) => {
  const { ask } = event.target.dataset;
  if (ask && !confirm(ask)) event.preventDefault();
});
// A game on a card leads to its form at the desk.
const aimed = location.search === "?correct" && document.getElementById(location.hash.slice(1));
if (aimed) {
  for (const fold of folds(document)) fold.open ||= fold.contains(aimed) || aimed.contains(fold);
  aimed.scrollIntoView();
}
look();
