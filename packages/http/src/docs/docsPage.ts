/** The API reference at `/docs`: one static page, generated from the OpenAPI document. */

import { createHash } from "node:crypto"
import { failureTable } from "@svc/core"
import * as Arr from "effect/Array"
import { escapeHtml, type Html, html, prose } from "../responses.ts"
import { type Operation, operationHtml, samplesHtml, serverMark } from "./operationHtml.ts"

const code = (text: string): Html => html`<pre tabindex="0"><code>${text}</code></pre>`

const introduction = html`${prose(
  "Everything is JSON over HTTPS. There are two ways to call the service, and they do the same. `REST` endpoints such as " +
    "`POST /api/v1/offers` are for programs that manage resources. `Commands` such as `offer.create` are for agents and " +
    "scripts: one `POST /api/v1/commands/{id}` for each, with the same names in HTTP, on the command line and over MCP.\n\n" +
    "Everything belongs to the organization of the key. Nothing is sent to a person before somebody approved it."
)}<p>The URL of this service is <code>${serverMark}</code>.</p>${samplesHtml({
  method: "POST",
  path: "/api/v1/commands/workspace.status",
  body: {},
  command: "workspace.status"
})}`

const authentication = html`${prose(
  "Send your API key as `Authorization: Bearer API_KEY` with every request. `svc keys create` makes keys; each is shown " +
    "once. A key has scopes, such as `leads:read`; a key of mode `draft_only` can read and draft, and can neither approve " +
    "nor send. A revoked key is refused within a second. Without a valid key the response is 401 `UNAUTHENTICATED`; without " +
    "the scope it is 403.\n\nAn AI agent needs no key: give its MCP client the URL of `/mcp`, and sign in in the browser that it opens " +
    "(OAuth 2.1). You choose its scopes there; `key.list` shows it, and `key.revoke` ends it."
)}${code(`curl ${serverMark}/api/v1/me -H "Authorization: Bearer $SVC_API_KEY"`)}`

const errors = html`${prose(
  'REST endpoints return `{"error":{"message":…,"code":…}}`. Commands return ' +
    '`{"ok":false,"status":…,"error":{…},"meta":{…}}`. Codes are stable, and the message says what to do next. ' +
    "Every response has `Svc-Request-Id`; name it when you report a problem."
)}<table><tr><th>Code and status</th><th>What to do</th></tr>${Object.entries(failureTable).map(
  ([name, { hint, retryable, status }]) =>
    html`<tr><td><code>${name}</code><br><i>${status}${retryable ? ", may be retried" : ""}</i></td><td>${hint}</td></tr>`
)}</table>`

const paging = html`${prose(
  "Lists return one page. Commands have `next_cursor`, REST endpoints `nextCursor`: send it as `cursor` to get the next " +
    "page. It is null on the last page. `limit` is 1 to 100, 25 by default. A cursor belongs to its list and its filters; " +
    "anything else is 400 `INVALID_CURSOR`."
)}${code(`import { createClient, items } from "@svc/client"

const svc = createClient({ url: "${serverMark}", key: process.env.SVC_API_KEY })
for await (const lead of items(svc.leads.search, { status: ["New"] })) console.log(lead.name)`)}`

const options = html`${prose(
  "Three options apply to every request.\n\n`response_profile=compact` in the query leaves out long optional fields.\n\n" +
    "`dry_run=true` in the query runs the request and saves nothing: the response is what would result.\n\n" +
    "`Idempotency-Key` as a header makes retries safe: the same key takes effect once, and later requests get the recorded " +
    "response. The same key with another body is 409."
)}`

const limits = html`${prose(
  "A key may send a number of requests a minute. Over it, the response is 429 `RATE_LIMITED` with `Retry-After` in " +
    "seconds; the client waits on its own. Bodies are at most 1 MiB, files of imports aside. The resource `svc://limits` " +
    "lists every limit."
)}`

const events = html`${prose(
  "`GET /api/v1/events?after=` returns what happened since a sequence number, and never skips an event. Webhooks deliver the " +
    "same events to your server, signed; `svc webhooks listen` shows them on your machine."
)}`

/** The chapters, in order. */
const chapters = [
  { id: "introduction", title: "Introduction", body: introduction },
  { id: "authentication", title: "Authentication", body: authentication },
  { id: "errors", title: "Errors", body: errors },
  { id: "paging", title: "Paging", body: paging },
  { id: "options", title: "Options of every request", body: options },
  { id: "limits", title: "Rate limits", body: limits },
  { id: "events", title: "Events and webhooks", body: events }
]

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
