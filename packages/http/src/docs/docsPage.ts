/** The API reference at `/docs`: one static page, generated from the OpenAPI document. */
import { createHash } from "node:crypto"
import { escapeHtml, type Html, html } from "../html.ts"
import type { Resolve } from "./fieldsHtml.ts"
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

const commandPath = /^\/api\/v1\/commands\/([a-z.-]+)$/

const operationsOf = (document: Readonly<Record<string, unknown>>): ReadonlyArray<Operation> =>
  Object.entries(Object(document["paths"])).flatMap(([path, methods]) =>
    Object.entries(Object(methods)).map(([method, details]) => {
      const { operationId, summary, tags } = Object(details)
      return {
        id: `op-${String(operationId)}`,
        method,
        path,
        tag: String(tags?.[0] ?? "service"),
        summary: String(summary ?? path),
        command: commandPath.exec(path)?.[1],
        details: Object(details)
      }
    })
  )

const resolver =
  (document: Readonly<Record<string, unknown>>): Resolve =>
  (given) => {
    const reference: unknown = Object(given)["$ref"]
    if (typeof reference !== "string") return Object(given)
    const names = reference.replace("#/", "").split("/")
    return Object(names.reduce<unknown>((at, name) => Object(at)[name], document))
  }

interface Entry {
  readonly id: string
  readonly title: string
}

const group = (title: string, entries: ReadonlyArray<Entry>, open: boolean): Html =>
  html`<details${open ? html` open` : undefined}><summary>${title}</summary><ul>${entries.map(
    (entry) => html`<li><a href="#${entry.id}">${entry.title}</a></li>`
  )}</ul></details>`

const titled = (tag: string): string => (tag === "linkedin" ? "LinkedIn" : tag.slice(0, 1).toUpperCase() + tag.slice(1))

/** The page for an OpenAPI document, by the URL of its server. */
export const docsPage = (document: Readonly<Record<string, unknown>>): ((url: string) => string) => {
  const resolve = resolver(document)
  const operations = operationsOf(document)
  const tags = [...new Set(operations.map(({ tag }) => tag))].toSorted((one, other) =>
    one === "service" ? 1 : other === "service" ? -1 : 0
  )
  const byTag = (tag: string) => {
    const all = operations.filter((operation) => operation.tag === tag)
    return [
      ...all.filter(({ command }) => command === undefined),
      ...all.filter(({ command }) => command !== undefined)
    ]
  }
  const entryOf = ({ command, id, method, path }: Operation): Entry => ({
    id,
    title: command ?? `${method.toUpperCase()} ${path.replace("/api/v1", "")}`
  })
  const { title, version } = Object(document["info"])
  const page = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title} API</title><style>${{ markup: style }}</style></head><body><a class="skip" href="#main">Skip to content</a><nav aria-label="Contents"><label for="q">Search (press /)</label><input id="q" type="search" autocomplete="off"><p id="n" role="status"></p>${group("Guide", chapters, true)}${tags.map((tag) => group(titled(tag), byTag(tag).map(entryOf), false))}</nav><main id="main"><h1>${title} API</h1><p class="e">Version ${version}. For programs: <a href="api/v1/openapi.json">OpenAPI</a>, <a href="docs/commands.md">commands as Markdown</a>.</p>${chapters.map(
    ({ body, id, title: name }) => html`<section id="${id}"><h2>${name}</h2>${body}</section>`
  )}${tags.flatMap((tag) => byTag(tag).map((operation) => operationHtml(operation, resolve)))}</main><script>${{ markup: script }}</script></body></html>`
  const pieces = page.markup.split(serverMark)
  return (url) => pieces.join(escapeHtml(/^https?:/.test(url) ? url : `${unknownOrigin}${url}`))
}
