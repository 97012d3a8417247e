// The documentation as pages that the console serves: what is read about a choice is the same as in docs/, and needs no network.

import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { Marked } from "marked";

/** As GitHub names a heading in its address. */
export function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}

/** A document's own headings and links: to what is shipped as well; of anything else only the word stays. */
function readerOf(name, shipped) {
  const leadsTo = (path) =>
    posix.normalize(posix.join(posix.dirname(name), path)).replace(/^\.\.\/README\.md$/, "readme.md");
  return new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const plain = this.parser.parseInline(tokens, this.parser.textRenderer);
        return `<h${depth} id="${anchorOf(plain)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        if (/^(https?:|#)/.test(href)) return `<a href="${href}">${text}</a>`;
        const [path = "", anchor] = href.split("#");
        const found = leadsTo(path);
        if (!shipped.has(found)) return text;
        const way = posix.relative(posix.dirname(name), found).replace(/\.md$/, ".html");
        return `<a href="${way}${anchor === undefined ? "" : `#${anchor}`}">${text}</a>`;
      },
      table({ header, rows }) {
        const row = (cells, tag) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("")}</tr>`;
        const body = rows.map((cells) => row(cells, "td")).join("\n");
        // Scrolled by keyboard, too.
        return `<div class="table" tabindex="0"><table><thead>${row(header, "th")}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
}

/** Documents for who runs or uses the exchange, in the order in which they are offered; the others are reached by links. */
const FIRST = [
  "readme",
  "console",
  "exchange",
  "webphone",
  "reports",
  "campaigns",
  "sms",
  "fax",
  "single-sign-on",
  "operations",
];

const titleOf = (text) => /^# (.+)$/m.exec(text ?? "")?.[1] ?? "Santral";

/** By path below docs/; the README stands among them. */
export function documentsIn(root) {
  const docs = join(root, "docs");
  const names = readdirSync(docs, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
  const readme = readFileSync(join(root, "README.md"), "utf8").replaceAll("](docs/", "](");
  return new Map([
    ["readme.md", readme],
    ...names.sort().map((name) => [name, readFileSync(join(docs, name), "utf8")]),
  ]);
}

export function buildHelp({ root, target }) {
  const texts = documentsIn(root);
  rmSync(target, { recursive: true, force: true });
  for (const [name, text] of texts) {
    const path = join(target, name.replace(/\.md$/, ".html"));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, pageOf(name, text, texts));
  }
  const docs = join(root, "docs");
  for (const name of readdirSync(docs))
    if (/\.(png|svg|webp)$/.test(name)) copyFileSync(join(docs, name), join(target, name));
  writeFileSync(join(target, "help.css"), STYLE);
}

export function pageOf(name, text, texts) {
  const up = name.includes("/") ? "../" : "";
  const ways = FIRST.map((it) => {
    const here = `${it}.md` === name ? ' aria-current="page"' : "";
    return `<li><a href="${up}${it}.html"${here}>${titleOf(texts.get(`${it}.md`))}</a></li>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${titleOf(text)} · Santral</title>
<link rel="icon" href="/console/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${up}help.css">
</head>
<body>
<nav aria-label="Documentation"><ul>${ways.join("")}</ul></nav>
<main>
${readerOf(name, texts).parse(text)}</main>
</body>
</html>
`;
}

const STYLE = `:root { color-scheme: light dark; --line: light-dark(#d9dee5, #3a4049); --soft: light-dark(#f2f4f7, #23272e); }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; display: grid; grid-template-columns: 12rem minmax(0, 1fr); gap: 2rem;
  font: 16px/1.6 system-ui, sans-serif; color: light-dark(#1d2430, #dfe4ea); background: light-dark(#fff, #191c21); }
nav { position: sticky; top: 1.5rem; align-self: start; font-size: 14px; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li { margin: 0.3rem 0; }
nav [aria-current] { font-weight: 600; }
a { color: light-dark(#0b5cad, #7db8f5); }
h1 { margin-top: 0; line-height: 1.25; }
h2 { margin-top: 2.2rem; padding-top: 0.4rem; border-top: 1px solid var(--line); line-height: 1.3; }
h2:target, h3:target { background: light-dark(#fff5cc, #4a4016); }
code { font: 0.875em ui-monospace, monospace; background: var(--soft); padding: 0.1em 0.3em; border-radius: 4px; overflow-wrap: anywhere; }
pre { background: var(--soft); padding: 0.9rem 1rem; border-radius: 8px; overflow-x: auto; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 8px; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9375rem; }
th, td { border-bottom: 1px solid var(--line); padding: 0.4rem 0.7rem; text-align: left; vertical-align: top; }
@media (max-width: 760px) { body { display: block; padding: 1rem; } nav { position: static; margin-bottom: 1.5rem; }
  nav ul { display: flex; flex-wrap: wrap; gap: 0 1rem; } }
`;
