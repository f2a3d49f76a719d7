// A script that did not come, as when a phone has only just joined the Wi-Fi, would leave the page empty: once the board
// answers, the page is loaded again.  It stands apart from the others, so that it is there when one of them is not.

addEventListener("error", async ({ target }) => {
  if (!(target instanceof HTMLScriptElement)) return;
  const answers = () => fetch("/api/kit").then(() => true, () => false);
  do await new Promise((resolve) => setTimeout(resolve, 1000));
  while (!(await answers()));
  location.reload();
}, true);
