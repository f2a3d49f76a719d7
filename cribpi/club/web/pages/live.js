// Shows what is new as soon as it is there, and not while somebody is typing or has something open.

const root = document.documentElement;

function isBusy() {
  const at = document.activeElement;
  return Boolean(at?.matches("input, select, textarea") || document.querySelector("details[open]"));
}

async function refresh() {
  const answer = await fetch(location.href);
  if (!answer.ok || answer.redirected) return location.reload();
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (isBusy()) return;
  document.querySelector("main").replaceWith(page.querySelector("main"));
  root.dataset.version = page.documentElement.dataset.version;
}

async function watch() {
  for (;;) {
    try {
      const answer = await fetch(`/news?since=${root.dataset.version}`);
      const { version } = await answer.json();
      if (String(version) !== root.dataset.version && !isBusy()) await refresh();
      else await new Promise((done) => setTimeout(done, 500));
    } catch {
      await new Promise((done) => setTimeout(done, 2000)); // the desk is away; it comes back
    }
  }
}

watch();
