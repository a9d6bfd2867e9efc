/**
 * Messages of the service in the terms of the command line: `--limit` for the field limit, `svc lead search` for the
 * command lead.search, `svc login` for a missing key.
 */
import * as Effect from "effect/Effect"
import { withNearestName } from "./knownNames.ts"
import { commandWords, type Target } from "./Target.ts"

/** A field of an input, and the flag that holds it (without dashes). */
interface FieldFlag {
  readonly name: string
  readonly flag: string
}

const phrases: ReadonlyArray<readonly [RegExp, string]> = [
  [/Send Authorization: Bearer <API_KEY>[^.]*\./g, "Run svc login."],
  [/GET \/api\/v1\/(commands|resources)\b(?!\/)/g, "svc $1 list"],
  [/\bIdempotency-Key\b/g, "--idempotency-key"],
  [/\bdry_run\b/g, "--dry-run"],
  [
    /Pass next_cursor as cursor for the next page; it is null on the last page\./g,
    "Add --cursor for the next page, or --all."
  ]
]

const dotted = /(?<!Did you mean )\b[a-z]+(?:-[a-z]+)*(?:\.[a-z]+(?:-[a-z]+)*)+\b/g

/** A text with subcommands for these ids of commands, and for other calls. */
export const withSubcommands = (text: string, ids: ReadonlySet<string>): string =>
  phrases
    .reduce((rest, [pattern, words]) => rest.replaceAll(pattern, words), text)
    .replaceAll(dotted, (id) => (ids.has(id) ? `svc ${commandWords(id).join(" ")}` : id))

/** A text with subcommands for the ids of commands and other calls. */
export const inCliTerms = Effect.fnUntraced(function* (text: string) {
  if (text.search(dotted) === -1) return withSubcommands(text, new Set())
  // Loaded on use: most messages name no command.
  const { commands } = yield* Effect.promise(() => import("@svc/core/commands"))
  return withSubcommands(text, new Set(commands.map(({ id }) => id)))
})

const token = /"(?:[^"\\]|\\.)*"|\b[a-z][a-z0-9_]*: true\b|\b[a-z][A-Za-z0-9_]*(?:\[\d+\]|\.[a-z]\w*)*/g

const isHead = (before: string): boolean => /(?:^|[;.?] )$/.test(before)

const isAboutField = (after: string) => /^(?: must | is required| is not a known field|:|, | \(or )/.test(after)

/**
 * A message with flags for the fields that have one. Of other fields, which only `--input-json` can hold, it says so.
 *
 * Quoted text stays as it is. A name that is also an English word counts as a field only where a message begins with it,
 * or in a list with other fields.
 */
export const inFlags = (message: string, fields: ReadonlyArray<FieldFlag>): string => {
  let listEnd = -1
  const flagged = message.replaceAll(token, (text, offset: number) => {
    const [name = ""] = text.split(/[[.:]/, 1)
    const before = message.slice(0, offset)
    const after = message.slice(offset + text.length)
    if (text.startsWith('"') || /Known fields: [^;.]*$/.test(before)) return text
    const flag = fields.find((field) => field.name === name || field.name === text)?.flag
    const isList = listEnd !== -1 && /^(?:, | and | or |, or | \(or )$/.test(message.slice(listEnd, offset))
    if (flag !== undefined) {
      if (!isList && !name.includes("_") && !text.includes(":") && !(isHead(before) && isAboutField(after))) return text
      listEnd = offset + text.length
      return `--${flag}`
    }
    const isField = /^ (?:must |is required|is not a known field)/.test(after) && isHead(before)
    return isField ? `--input-json: ${text}` : text
  })
  return flagged.replaceAll("Send --", "Add --").replaceAll("send --", "add --")
}

/** What a run without a key is told. */
export const notLoggedIn = "Not logged in. Run svc login, or set SVC_API_KEY_FILE."

/** The target, with the messages of errors translated. */
const withMessages = (
  target: Target,
  translate: (message: string, code: unknown) => Effect.Effect<string>
): Target => ({
  ...target,
  send: Effect.fnUntraced(function* (request) {
    const reply = yield* target.send(request)
    const { error, ...body } = Object(reply.body)
    const { code, message } = Object(error)
    if (typeof message !== "string") return reply
    return { ...reply, body: { ...body, error: { ...error, message: yield* translate(message, code) } } }
  })
})

/** The target, with messages that name flags in place of these fields, and the person that was typed. */
export const targetWithFlags = (target: Target, fields: ReadonlyArray<FieldFlag>, person?: string): Target =>
  withMessages(target, (message) =>
    Effect.succeed(
      inFlags(message, fields).replace(/^(Lead not|Nothing) found[^.]*\./, (text, what) =>
        person === undefined ? text : `${what === "Nothing" ? what : "No lead"} found for ${person}.`
      )
    )
  )

/** The target, with messages about keys and commands in terms of the command line. */
export const targetInCliTerms = (target: Target): Target =>
  withMessages(target, (message, code) => {
    if (code === "NOT_FOUND") return Effect.flatMap(withNearestName(target, message), inCliTerms)
    if (code !== "UNAUTHENTICATED") return inCliTerms(message)
    return Effect.succeed(
      target.key === undefined
        ? notLoggedIn
        : `The API key from ${target.key.source} is not valid. Run svc login with a valid key.`
    )
  })
