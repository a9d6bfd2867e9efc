/** What stands before the reference: introduction, authentication, errors, paging, options, limits. */
import { failureTable } from "@svc/core"
import { type Html, html, prose } from "../responses.ts"
import { samplesHtml, serverMark } from "./operationHtml.ts"

interface Chapter {
  readonly id: string
  readonly title: string
  readonly body: Html
}

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
export const chapters: ReadonlyArray<Chapter> = [
  { id: "introduction", title: "Introduction", body: introduction },
  { id: "authentication", title: "Authentication", body: authentication },
  { id: "errors", title: "Errors", body: errors },
  { id: "paging", title: "Paging", body: paging },
  { id: "options", title: "Options of every request", body: options },
  { id: "limits", title: "Rate limits", body: limits },
  { id: "events", title: "Events and webhooks", body: events }
]
