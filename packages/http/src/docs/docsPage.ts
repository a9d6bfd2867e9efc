/** The API reference at `/docs`: one static page, generated from the OpenAPI document. */
import { createHash } from "node:crypto"
import * as Arr from "effect/Array"
import { escapeHtml, html } from "../html.ts"
import { chapters } from "./guideHtml.ts"
import { type Operation, operationHtml } from "./operationHtml.ts"
import { script, style, unknownOrigin } from "./pageAssets.ts"
import { serverMark } from "./samples.ts"

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
