/** What a review reads from the service: the queue, and its items. */
import type { Failure } from "@svc/core"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { objectsOf, type Target } from "../Target.ts"
import { labelOf } from "../view/labels.ts"
import type { ItemKind, ReviewedItem, ReviewFinding, WaitingItem } from "./ReviewState.ts"
import { run } from "./run.ts"

const pageSize = 100

const shownTime = {
  locale: "en",
  weekday: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23"
} as const

/** An instant as `Mon 09:00`, or with its date as `Mon, Nov 30, 09:00`; empty if there is none. */
export const timeOf = (instant: unknown, date: { readonly day?: "numeric"; readonly month?: "short" } = {}): string =>
  Option.match(DateTime.make(String(instant)), {
    onNone: () => "",
    onSome: (time) => DateTime.formatLocal(time, { ...shownTime, ...date })
  })

const joined = (parts: ReadonlyArray<unknown>, by: string): string => parts.filter((part) => part).join(by)

type Row = Readonly<Record<string, unknown>>

/** Everything to review, of one mission if it is given, oldest first. Fails with NOT_FOUND for an unknown mission. */
export const waitingItems = Effect.fnUntraced(function* (target: Target, mission: string | undefined) {
  const waiting: Array<WaitingItem> = []
  let cursor: unknown
  do {
    const input = {
      limit: pageSize,
      ...(mission === undefined ? {} : { mission_id: mission }),
      ...(typeof cursor === "string" ? { cursor } : {})
    }
    const page = yield* run(target, { id: "review.list", input })
    for (const { item_id, lead, mission: of, preview } of objectsOf(page["items"])) {
      const { company_name, name } = Object(lead)
      waiting.push({ id: String(item_id), label: joined([name, company_name, Object(of).name, preview], ", ") })
    }
    cursor = page["next_cursor"]
  } while (typeof cursor === "string")
  return waiting
})

const findingOf = ({ hint, message, severity, variation_index }: Row): ReviewFinding => ({
  severity: String(severity),
  message: String(message),
  hint: String(hint ?? ""),
  variation: typeof variation_index === "number" ? variation_index : undefined
})

const list = (title: string, texts: unknown): ReadonlyArray<string> =>
  Array.isArray(texts) && texts.length > 0 ? ["", title, ...texts.map((text) => `• ${String(text)}`)] : []

/** The lead, the conversation, the brief and the proof, one line each. */
const besideOf = ({ lead, mission, offer, thread }: Row): ReadonlyArray<string> => {
  const { email, headline, linkedin_url, location, posts, score, score_reasons, status } = Object(lead)
  const { brief, name } = Object(mission)
  const said = objectsOf(thread).map(
    ({ at, direction, text }) => `${String(at).slice(0, 10)} ${direction === "inbound" ? "←" : "→"} ${String(text)}`
  )
  return [
    ...[headline, location, email, linkedin_url].filter((fact) => typeof fact === "string" && fact !== ""),
    joined([status, typeof score === "number" && score > 0 ? `score ${score}` : ""], ", "),
    ...list("Why this score", score_reasons),
    "",
    ...(said.length === 0 ? ["No messages so far."] : ["Conversation", ...said]),
    ...list(
      "Posts",
      objectsOf(posts).map(({ text }) => text)
    ),
    ...(name === undefined ? [] : ["", String(name)]),
    ...Object.values(Object(brief)).filter((text) => typeof text === "string" && text !== ""),
    ...list(`Proof of ${String(Object(offer).name ?? "the offer")}`, Object(offer).proof)
  ]
}

/** States in which a person can decide on an item. */
const reviewable: ReadonlySet<unknown> = new Set(["in_review", "failed", "pending"])

/** The input of a requested command, a line for each field; texts of several lines begin on a line of their own. */
const inputText = (input: object): string =>
  Object.entries(input)
    .map(([name, value]) => {
      const text =
        typeof value === "object" && value !== null ? JSON.stringify(value, null, 2) : String(value ?? "none")
      return `${labelOf(name)}:${text.includes("\n") ? "\n" : " "}${text}`
    })
    .join("\n")

/** The names of those who act, by the names of their keys. */
const namesOf = (target: Target): Effect.Effect<(kind: unknown, userId: unknown) => string> =>
  run(target, { id: "review.people", input: {} }).pipe(
    Effect.map(({ people }) => (kind: unknown, userId: unknown) => {
      const known = objectsOf(people).filter((person) => person["user_id"] === userId)
      const own = known.find(({ actor_kind }) => actor_kind === kind)
      if (own !== undefined) return String(own["name"])
      const person = known[0]?.["name"]
      if (kind === "AI_AGENT") return person === undefined ? "an AI agent" : `the AI agent of ${person}`
      return String(person ?? "someone else")
    }),
    Effect.orElseSucceed(() => () => "someone else")
  )

type Names = (kind: unknown, userId: unknown) => string

const aboutOf = (names: Names, { approval, item, viewers }: Row): string => {
  const { agent, kind, mission } = Object(item)
  const others = objectsOf(viewers).map(({ name }) => name)
  const { expires_at, requested_by } = Object(Object(approval).request)
  return joined(
    [
      kind !== "message" && nouns[kind as ItemKind],
      requested_by !== undefined && `of ${names(requested_by.kind, requested_by.user_id)}`,
      expires_at !== undefined && `expires ${timeOf(expires_at, { day: "numeric", month: "short" })}`,
      agent?.name && `from ${agent.name}`,
      mission?.name && `for ${mission.name}`,
      others.length > 0 && `also open: ${others.join(", ")}`
    ],
    ", "
  )
}

/** What the claims rest on, and who wrote, changed and reviewed it. */
const originOf = (names: Names, { evidence, provenance }: Row): ReadonlyArray<string> => [
  ...list(
    "Evidence",
    objectsOf(evidence).map(({ claim, facts, is_stale, references }) =>
      joined(
        [
          `"${String(claim)}"${is_stale === true ? " (no longer in the text)" : ""}`,
          ...Array.from(
            Object(references),
            (reference, index) => `${reference}: ${Object(facts)[index] ?? "not known"}`
          )
        ],
        " — "
      )
    )
  ),
  ...list(
    "History",
    objectsOf(provenance).map(({ action, actor_kind, at, client, model, user_id }) => {
      const { name, version } = Object(client)
      return joined(
        [
          labelOf(String(action)),
          `by ${names(actor_kind, user_id)}`,
          name !== undefined && `with ${joined([name, version], " ")}`,
          model !== null && `(model ${String(model)})`,
          timeOf(at, { day: "numeric", month: "short" })
        ],
        " "
      )
    })
  )
]

const nouns: Readonly<Record<ItemKind, string>> = {
  message: "Message",
  invitation: "Invitation",
  email: "Email",
  approval: "Approval request"
}

const textsOf = ({ approval, draft, email, item }: Row): ReadonlyArray<string> => {
  if (draft !== null) return objectsOf(Object(draft).variations).map(({ body_text }) => String(body_text))
  if (email !== null) return [String(Object(email).body_text)]
  return [approval === null ? String(Object(item).preview) : inputText(Object(Object(approval).input))]
}

/** Reads an item with everything about it; undefined if it is no longer to be reviewed. */
export const readItem = (target: Target, itemId: string): Effect.Effect<ReviewedItem | undefined, Failure> =>
  run(target, { id: "review.get", input: { item_id: itemId } }).pipe(
    Effect.flatMap(
      Effect.fnUntraced(function* (data) {
        const { content_hash, findings, item, lead, max_characters, problem, subject } = data
        const { agent, flagged, kind, preview, state } = Object(item)
        if (!reviewable.has(state)) return undefined
        const names = yield* namesOf(target)
        const { company_name, job_title, name } = Object(lead)
        const { guidance, what } = Object(problem)
        return {
          itemId,
          kind,
          lead:
            lead === null && kind === "approval"
              ? String(preview)
              : joined([name ?? "No lead", joined([job_title, company_name], " at ")], ", "),
          about: aboutOf(names, data),
          above: [
            ...(what === undefined ? [] : [`${what} ${guidance}`]),
            ...(typeof subject === "string" ? [`Subject: ${subject}`] : [])
          ],
          variations: textsOf(data),
          findings: objectsOf(findings).map(findingOf),
          beside: kind === "approval" && lead === null ? [] : [...besideOf(data), ...originOf(names, data)],
          agentHandle: agent?.handle,
          flagged: flagged === true,
          maxCharacters: typeof max_characters === "number" ? max_characters : undefined,
          contentHash: typeof content_hash === "string" ? content_hash : undefined,
          profileUrl: String(Object(Object(data["draft"]).lead).linkedin_url ?? "")
        }
      })
    ),
    Effect.catchIf(
      ({ code }) => code === "NOT_FOUND",
      () => Effect.succeed(undefined)
    )
  )
