// Draws the diagrams of a page that has any, with Mermaid, where `make docs` has fetched it; else they stay text.

const diagrams = document.querySelectorAll(".diagram");
if (diagrams.length > 0) {
  const script = document.createElement("script");
  script.src = new URL("mermaid.js", document.currentScript.src);
  script.onload = () => {
    const isDark = document.body.dataset.mdColorScheme === "slate";
    mermaid.initialize({ startOnLoad: false, theme: isDark ? "dark" : "neutral", fontFamily: "Figtree" });
    for (const diagram of diagrams) diagram.classList.add("drawn");
    mermaid.run({ nodes: diagrams });
  };
  document.head.append(script);
}
