// Checks the props of components in htm templates, which tsc takes for texts: in memory each template becomes calls,
// html`<${Peg} side=${0} />` for instance made(Peg, {"side": 0}), and tsc checks those. Lines stay where they are.
//
// Tried first was h(Peg, { side: 0 }) in the scripts themselves. It needs no checker, but markup with its text, 400
// components in 1,500 elements, then reads as nested calls, and the page grows by a tenth. JSX needs a build step.
//
// node templates.mjs typescript.js [changes.json], changes being [file, text, instead]: prints errors, one a line.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ts = createRequire(import.meta.url)(resolve(process.argv[2]));
const HERE = dirname(fileURLToPath(import.meta.url));
const CALLS = join(HERE, "calls.d.ts"); // only in memory
const DECLARED = `
declare function made<T>(type: T, props: T extends (props: infer P) => unknown ? P & { key?: unknown } : object, ...children: unknown[]): unknown;
declare function together(...parts: unknown[]): unknown;
`;

/** The calls for a template: `pieces` are its texts, and between them the scripts of its expressions. */
function calls(pieces) {
  let out = "";
  let parts = 0;
  const open = []; // elements: whether each is a component, and where its children begin in `out`
  const child = (script) => {
    out += script;
    if (open.length) open.at(-1).hasChildren = true;
    else parts += 1;
  };
  const close = () => {
    const { isComponent, at, hasChildren } = open.pop();
    if (isComponent) out = hasChildren ? `${out.slice(0, at)}"children": [${out.slice(at)}]}), ` : `${out}}), `;
    else out = `${out.slice(0, at)}}, ${out.slice(at)}), `;
  };
  let mode = "text"; // or "tag", "attributes", "value"
  let quote = "";
  let quoted = "";
  const endValue = () => {
    out += `${quote ? `\`${quoted}\`` : quoted || '""'}, `;
    [mode, quote, quoted] = ["attributes", "", ""];
  };
  const begin = (tag, isComponent) => {
    if (open.length) open.at(-1).hasChildren = true;
    else parts += 1;
    out += `made(${tag}, {`;
    open.push({ isComponent, at: 0, hasChildren: false });
    mode = "attributes";
  };
  pieces.forEach((piece, number) => {
    if (number % 2) {
      if (mode === "text") child(`(${piece}), `);
      else if (mode === "tag") begin(`(${piece})`, true);
      else if (mode === "value") quoted += quote ? `\${${piece}}` : `(${piece})`;
      else out += `(${piece}), `; // after "..."
      return;
    }
    for (let rest = piece; rest; ) {
      const [newline] = /^\n/.exec(rest) ?? [];
      if (mode === "value" && quoted && !quote) endValue(); // an expression without quotes
      if (newline && !quote) {
        out += "\n";
        rest = rest.slice(1);
      } else if (mode === "text") {
        const [closed] = /^<\/[\w-]*(\/?)>|^<\/$/.exec(rest) ?? [];
        if (closed !== undefined) {
          close();
          rest = rest.slice(closed.length);
        } else if (rest[0] === "<") {
          const [all, tag] = /^<([\w-]*)/.exec(rest);
          if (tag) begin(JSON.stringify(tag), false);
          else mode = "tag";
          rest = rest.slice(all.length);
        } else {
          const [text] = /^[^<\n]+/.exec(rest);
          if (text.trim()) child('"", ');
          rest = rest.slice(text.length);
        }
      } else if (mode === "value") {
        const found = quote ? rest.indexOf(quote) : rest.search(/[\s/>]/);
        const end = found < 0 ? rest.length : found;
        if (!quote && /^["']/.test(rest)) {
          quote = rest[0];
          rest = rest.slice(1);
        } else {
          quoted += quote ? rest.slice(0, end) : JSON.stringify(rest.slice(0, end));
          rest = rest.slice(quote && found >= 0 ? end + 1 : end);
          if (found >= 0) endValue();
        }
      } else {
        const [all, name, more] = /^(?:\.\.\.|\/?>|([\w:.-]+)(=?))/.exec(rest) ?? [rest[0]];
        if (all === "...") out += "...";
        else if (all === ">") [mode, open.at(-1).at] = ["text", out.length];
        else if (all === "/>") {
          [mode, open.at(-1).at] = ["text", out.length];
          close();
        } else if (more) {
          out += `"${name}": `;
          mode = "value";
        } else if (name) out += `"${name}": true, `;
        rest = rest.slice(all.length);
      }
    }
    if (mode === "value" && quoted && !quote) endValue();
  });
  if (open.length || mode !== "text") throw new Error(`a template is not closed: ${pieces.join("").slice(0, 80)}`);
  return parts === 1 ? `(${out.replace(/,\s*$/, (end) => end.slice(1))})` : `together(${out})`;
}

/** The script with its templates as calls. */
function rewritten(text) {
  const source = ts.createSourceFile("x.js", text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);
  const written = (node) => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === "html") {
      const { template } = node;
      if (ts.isNoSubstitutionTemplateLiteral(template)) return calls([template.rawText ?? template.text]);
      const spans = template.templateSpans.flatMap((span) => [within(span.expression), span.literal.rawText ?? span.literal.text]);
      return calls([template.head.rawText ?? template.head.text, ...spans]);
    }
    return within(node);
  };
  /** A node's own text, comments before it included, with the templates in it written as calls. */
  const within = (node) => {
    const replaced = [];
    const look = (inner) => {
      if (ts.isTaggedTemplateExpression(inner) && inner.tag.getText() === "html") replaced.push(inner);
      else ts.forEachChild(inner, look);
    };
    look(node);
    let [result, at] = ["", node.getFullStart()];
    for (const inner of replaced) {
      result += text.slice(at, inner.getStart()) + written(inner);
      at = inner.end;
    }
    return result + text.slice(at, node.end);
  };
  return within(source);
}

const changes = process.argv[3] ? JSON.parse(readFileSync(process.argv[3], "utf8")) : [];
const config = join(HERE, "tsconfig.json");
const { options, fileNames } = ts.parseJsonConfigFileContent(ts.readConfigFile(config, ts.sys.readFile).config, ts.sys, HERE);
const how = { ...options, exactOptionalPropertyTypes: false, noUnusedLocals: false }; // a prop of undefined is a missing one
const host = ts.createCompilerHost(how);
const { readFile, fileExists } = host;
host.fileExists = (name) => resolve(name) === CALLS || fileExists(name);
host.readFile = (name) => {
  if (resolve(name) === CALLS) return DECLARED;
  const text = readFile(name);
  if (!fileNames.includes(name) || !name.endsWith(".js")) return text;
  const mine = changes.filter(([file]) => file === basename(name));
  return rewritten(mine.reduce((before, [, there, instead]) => {
    if (before.split(there).length !== 2) throw new Error(`not once in ${basename(name)}: ${there}`);
    return before.replace(there, () => instead);
  }, text));
};
host.getSourceFile = (name, version) => {
  const text = host.readFile(name);
  return text === undefined ? undefined : ts.createSourceFile(name, text, version, true);
};
const program = ts.createProgram([...fileNames, CALLS], how, host);
for (const { file, start, messageText } of ts.getPreEmitDiagnostics(program)) {
  const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
  console.log(`${basename(file?.fileName ?? "")}:${line}: ${ts.flattenDiagnosticMessageText(messageText, " ").replace(/\s+/g, " ")}`);
}
