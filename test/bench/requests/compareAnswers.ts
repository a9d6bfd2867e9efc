/** That the peer does the same work: both servers get the same requests, and must return the same. */
import { canonicalJson } from "../peer/text.ts"
import { leadIdOf } from "./scenarios.ts"
import type { Server } from "./servers.ts"

interface Probe {
  readonly path: string
  readonly key?: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

const upsert = "/api/v1/commands/lead.upsert"
const draft = "/api/v1/commands/linkedin.draft.create"
const ada = {
  email: "Ada.Probe@Probe.example",
  linkedin_url: "https://www.linkedin.com/in/Ada-Probe/",
  name: "Ada Probe",
  headline: "Head of Finance",
  job_title: "CFO",
  company: "Probe GmbH",
  location: "Berlin, Germany",
  phone: "+49 30 1234567",
  is_flagged: true,
  score: 12.5
}
const idempotent = { "idempotency-key": "probe-1" }
const message = { agent_handle: "agent-10", variations: [{ body_text: "Hello" }, { body_text: "Good morning" }] }

/** In this order, since some find what others made. */
const probes: Readonly<Record<string, Probe>> = {
  "a new lead": { path: upsert, body: ada },
  "the same lead again": { path: upsert, body: ada },
  "a changed lead": { path: upsert, body: { email: "ada.probe@probe.example", job_title: "CEO", phone: null } },
  "a lead of which only an identifier is known": { path: upsert, body: { email: "grace.hopper@probe.example" } },
  "a preview": { path: `${upsert}?dry_run=true`, body: { email: "preview@probe.example" } },
  "a request with a key": { path: upsert, body: { email: "once@probe.example" }, headers: idempotent },
  "its repetition": { path: upsert, body: { email: "once@probe.example" }, headers: idempotent },
  "another request with its key": { path: upsert, body: { email: "twice@probe.example" }, headers: idempotent },
  "identifiers of two leads": {
    path: upsert,
    body: { email: "grace.hopper@probe.example", linkedin_url: "https://www.linkedin.com/in/ada-probe" }
  },
  "no identifier": { path: upsert, body: { name: "Nobody" } },
  "an invalid address": { path: upsert, body: { email: "nobody" } },
  "an unknown field": { path: upsert, body: { email: "nobody@probe.example", nickname: "No" } },
  "an unknown lead": { path: upsert, body: { lead_id: leadIdOf(999_999_999), name: "Nobody" } },
  "an unknown key": { path: upsert, body: { email: "nobody@probe.example" }, key: "none" },
  "a draft": { path: draft, body: { email: "ada.probe@probe.example", ...message } },
  "a second draft for the same lead": { path: draft, body: { email: "ada.probe@probe.example", ...message } },
  "a draft of an unknown agent": {
    path: draft,
    body: { email: "ada.probe@probe.example", ...message, agent_handle: "x" }
  },
  "a prospect": { path: `/api/v1/resources/read?uri=svc://prospects/${leadIdOf(1)}` },
  "an unknown prospect": { path: `/api/v1/resources/read?uri=svc://prospects/${leadIdOf(999_999_999)}` },
  "a page of offers": { path: "/api/v1/offers" },
  "a page of an invalid cursor": { path: "/api/v1/offers?cursor=x" },
  "the list of commands": { path: "/api/v1/commands" },
  health: { path: "/healthz" }
}

const ask = async ({ url }: Server, key: string, { body, headers, key: otherKey, path }: Probe) => {
  const authorization = { authorization: `Bearer ${otherKey ?? key}` }
  const response = await fetch(
    url + path,
    body === undefined
      ? { headers: authorization }
      : {
          method: "POST",
          headers: { ...authorization, "content-type": "application/json", ...headers },
          body: JSON.stringify(body)
        }
  )
  const parsed = await response.json()
  return { response, parsed }
}

/** What a response says apart from ids, times, cursors and the words of an error. */
const essenceOf = ({ parsed, response }: Awaited<ReturnType<typeof ask>>): string => {
  const error: unknown = Reflect.get(Object(parsed), "error")
  if (error !== undefined) {
    Reflect.set(Object(error), "message", "")
    const meta: unknown = Reflect.get(Object(parsed), "meta")
    // Of an input that cannot be read, only one of them tells the hash.
    if (meta !== undefined && response.status === 400) Reflect.set(Object(meta), "command_hash", "")
  }
  const kept = ["content-type", "idempotency-replayed"].map(
    (name) => `${name}: ${response.headers.get(name)?.replace("; charset=utf-8", "") ?? ""}`
  )
  const text = canonicalJson(parsed)
    .replace(/\b(ld|drf|usr)_[0-9A-Z]{26}\b/g, "$1")
    .replace(/\busr_1\b/g, "usr")
    .replace(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, "instant")
    .replace(/"nextCursor":"[^"]+"/, "nextCursor")
  return [response.status, ...kept, text].join("\n")
}

/** Asks both the same; throws where they differ. */
export const compareAnswers = async (ours: Server, peer: Server, key: string): Promise<void> => {
  for (const [name, probe] of Object.entries(probes)) {
    const left = essenceOf(await ask(ours, key, probe))
    const right = essenceOf(await ask(peer, key, probe))
    if (left !== right)
      throw new Error(`The peer differs for ${name}:\n${left.slice(0, 3_000)}\n\n${right.slice(0, 3_000)}`)
  }
}
