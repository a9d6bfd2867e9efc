/** The API reference at `/docs`: one static page, generated from the OpenAPI document. */
import { createHash } from "node:crypto"
import * as Arr from "effect/Array"
import { escapeHtml, html } from "../responses.ts"
import { chapters } from "./guideHtml.ts"
import { type Operation, operationHtml, serverMark } from "./operationHtml.ts"

/** The style, for light and dark screens of any width. */
const style = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--dim:#57606a;--line:#d8dee4;--soft:#f6f8fa;--link:#0757b8}
@media (prefers-color-scheme:dark){:root{--bg:#0f1318;--fg:#e6edf3;--dim:#9aa5b1;--line:#2b333c;--soft:#171c22;--link:#79b8ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--fg);font:16px/1.55 system-ui,sans-serif}
a{color:var(--link)}
.skip{position:absolute;left:-99em}.skip:focus{left:1em;top:1em;background:var(--bg);padding:.5em}
nav{position:fixed;inset:0 auto 0 0;width:18rem;overflow:auto;padding:1rem;border-right:1px solid var(--line);background:var(--soft);font-size:.9rem}
nav input{width:100%;padding:.5rem;font:inherit;color:inherit;background:var(--bg);border:1px solid var(--dim);border-radius:6px}
nav summary{font-weight:600;margin-top:.8rem;cursor:pointer}
nav ul{list-style:none;margin:.3rem 0;padding:0}
nav li a{display:block;padding:.15rem .4rem;color:inherit;text-decoration:none;border-radius:4px;overflow-wrap:anywhere}
nav li a:hover,nav li a:focus{background:var(--line)}
main{margin-left:18rem;padding:1rem 2.5rem 4rem;max-width:60rem}
section{border-bottom:1px solid var(--line);padding:1rem 0 2rem;content-visibility:auto;contain-intrinsic-size:auto 40rem}
h1{margin:.5rem 0}h2{margin:.6rem 0;font-size:1.35rem}h2 a{color:var(--dim);text-decoration:none;font-weight:400}
h3{font-size:1rem;margin:1.2rem 0 .3rem}.s h3{font-size:.85rem;margin:.8rem 0 .2rem;color:var(--dim)}
table{border-collapse:collapse;width:100%;font-size:.92rem}
td,th{border-top:1px solid var(--line);padding:.4rem .5rem;text-align:left;vertical-align:top}
td,main code{overflow-wrap:anywhere}pre code{overflow-wrap:normal}
td:first-child{width:32%}
td b{font-size:.75rem;color:var(--dim)}i{color:var(--dim);font-style:normal}
code,pre{font:.88em/1.5 ui-monospace,monospace}
pre{background:var(--soft);border:1px solid var(--line);border-radius:6px;padding:.8rem;overflow:auto;margin:.2rem 0}
.m{font-weight:700}.e{color:var(--dim);font-size:.9rem}
details details{margin-left:.8rem}summary{cursor:pointer}
[hidden]{display:none!important}
@media (max-width:52rem){nav{position:static;width:auto;max-height:22rem;border-right:0;border-bottom:1px solid var(--line)}main{margin:0;padding:1rem}}
@media (max-width:34rem){details details{margin-left:.3rem}}
@media print{nav{display:none}main{margin:0}}
`

/** Stands for the origin of a service that does not know its own; the script puts that of the page in its place. */
const unknownOrigin = "https://svc.example.com"

/** The script: search by title, path and field. The page reads well without it. */
const script = `
for(const c of document.querySelectorAll("code"))if(c.textContent.includes("${unknownOrigin}"))c.textContent=c.textContent.replaceAll("${unknownOrigin}",location.origin);

const box=document.getElementById("q"),said=document.getElementById("n");

const links=[...document.querySelectorAll("nav li a")].map(a=>({li:a.parentElement,section:document.getElementById(a.hash.slice(1))}));
for(const l of links)l.text=(l.li.textContent+" "+[...l.section.querySelectorAll("h2,code")].map(e=>e.closest("pre")?"":e.textContent).join(" ")).toLowerCase();

const search=()=>{const words=box.value.toLowerCase().split(/\\s+/).filter(Boolean);let found=0;
for(const l of links){const is=words.every(w=>l.text.includes(w));l.li.hidden=l.section.hidden=!is;if(is)found++}
for(const d of document.querySelectorAll("nav details")){const some=[...d.querySelectorAll("li")].some(l=>!l.hidden);d.hidden=!some;if(words.length)d.open=some}
said.textContent=words.length?found+" found":""};
box.addEventListener("input",search);
addEventListener("keydown",e=>{if(e.key==="/"&&document.activeElement!==box){e.preventDefault();box.focus()}else if(e.key==="Escape"&&document.activeElement===box){box.value="";search()}});
`

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

/** What the page may load and run: its own style and script. */
export const docsPolicy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

const reference = /^#\/components\/schemas\/(\w+)$/

const commandPath = /^\/api\/v1\/commands\/([a-z.-]+)$/

/** The operations, with schemas in the place of references to them. */
const operationsOf = ({ components, paths }: Readonly<Record<string, unknown>>): ReadonlyArray<Operation> => {
  const { schemas } = Object(components)
  const text = JSON.stringify(paths, (_, value) => schemas[reference.exec(value?.$ref)?.[1] ?? ""] ?? value)
  return Object.entries<object>(JSON.parse(text)).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, details]) => {
      const { operationId, summary, tags } = details
      const command = commandPath.exec(path)?.[1]
      return { id: `op-${operationId}`, method, path, tag: tags[0], summary, command, details }
    })
  )
}

const group = (title: string, entries: ReadonlyArray<{ readonly id: string; readonly title: string }>, open: boolean) =>
  html`<details${open ? html` open` : undefined}><summary>${title}</summary><ul>${entries.map(
    (entry) => html`<li><a href="#${entry.id}">${entry.title}</a></li>`
  )}</ul></details>`

const titled = (tag: string): string => (tag === "linkedin" ? "LinkedIn" : tag.slice(0, 1).toUpperCase() + tag.slice(1))

/** The page for an OpenAPI document, by the URL of its server. */
export const docsPage = (document: Readonly<Record<string, unknown>>): ((url: string) => string) => {
  const byTag = Object.entries(Arr.groupBy(operationsOf(document), ({ tag }) => tag))
    .toSorted(([one], [other]) => Number(one === "service") - Number(other === "service"))
    .map(([tag, all]) => ({
      tag,
      operations: all.toSorted((one, other) => Number(!!one.command) - Number(!!other.command))
    }))
  const entryOf = ({ command, id, method, path }: Operation) => ({
    id,
    title: command ?? `${method.toUpperCase()} ${path.replace("/api/v1", "")}`
  })
  const { title, version } = Object(document["info"])
  const page = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title} API</title><style>${{ markup: style }}</style></head><body><a class="skip" href="#main">Skip to content</a><nav aria-label="Contents"><label for="q">Search (press /)</label><input id="q" type="search" autocomplete="off"><p id="n" role="status"></p>${group("Guide", chapters, true)}${byTag.map(({ operations, tag }) => group(titled(tag), operations.map(entryOf), false))}</nav><main id="main"><h1>${title} API</h1><p class="e">Version ${version}. For programs: <a href="api/v1/openapi.json">OpenAPI</a>, <a href="docs/commands.md">commands as Markdown</a>.</p>${chapters.map(
    ({ body, id, title: name }) => html`<section id="${id}"><h2>${name}</h2>${body}</section>`
  )}${byTag.flatMap(({ operations }) => operations.map(operationHtml))}</main><script>${{ markup: script }}</script></body></html>`
  const pieces = page.markup.split(serverMark)
  return (url) => pieces.join(escapeHtml(/^https?:/.test(url) ? url : `${unknownOrigin}${url}`))
}
