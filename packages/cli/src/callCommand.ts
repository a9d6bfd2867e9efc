/** A command whose output the command line itself reads. */
import { type RawOptions, Relayed } from "@svc/core"
import * as Effect from "effect/Effect"
import type { ServiceRequest } from "./httpRequest.ts"
import { isCode } from "./Output.ts"
import { dataOf, type Target } from "./Target.ts"

/** The request for a command with JSON text as input. The options must be valid. */
export const commandRequest = (id: string, json: string, options: RawOptions = {}): ServiceRequest => {
  const { dry_run, idempotency_key, response_profile } = options
  const query = new URLSearchParams({
    ...(response_profile === undefined ? {} : { response_profile }),
    ...(dry_run === undefined ? {} : { dry_run: String(dry_run) })
  })
  return {
    method: "POST",
    path: `/api/v1/commands/${encodeURIComponent(id)}${query.size === 0 ? "" : `?${query}`}`,
    json,
    headers: idempotency_key === undefined ? {} : { "idempotency-key": idempotency_key }
  }
}

/** Runs a command and returns its output. Fails with the code of its error. */
export const callCommand = Effect.fnUntraced(function* (target: Target, id: string, input: object) {
  const reply = yield* target.send(commandRequest(id, JSON.stringify(input)))
  if (reply.status < 400) return dataOf(reply)
  const { code, message } = Object(Object(reply.body).error)
  return yield* new Relayed(isCode(String(code)) ? code : "INTERNAL", { message: String(message) })
})

/** The words that help shows, by those in the other number, which are accepted too. Ids of commands have the singular. */
const shownWords: Readonly<Record<string, string>> = {
  event: "events",
  key: "keys",
  webhook: "webhooks",
  org: "orgs",
  offers: "offer",
  leads: "lead",
  missions: "mission",
  agents: "agent",
  imports: "import",
  emails: "email",
  approvals: "approval",
  policies: "policy",
  sessions: "session",
  reviews: "review",
  "agent-runs": "agent-run"
}

/** Arguments with the first word that help shows: `svc leads search` is `svc lead search`, `svc key list` is `svc keys list`. */
export const withShownWord = ([first, ...rest]: ReadonlyArray<string>): ReadonlyArray<string> =>
  first === undefined ? [] : [shownWords[first] ?? first, ...rest]

/** `linkedin draft approve` for `linkedin.draft.approve`; `webhooks list` for `webhook.list`. */
export const commandWords = (id: string): ReadonlyArray<string> => withShownWord(id.split("."))
