/** An item of the review queue: reads it, and shows it as text. */
import type { Failure } from "@svc/core"
import * as Effect from "effect/Effect"
import { callCommand } from "../callCommand.ts"
import { objectsOf, type Target } from "../Target.ts"
import { exactLines } from "../view/detail.ts"

type Row = Readonly<Record<string, unknown>>

/** The ids of everything to review, oldest first. Fails with NOT_FOUND for an unknown mission. */
export const waitingIds = Effect.fnUntraced(function* (target: Target, mission: string | undefined) {
  const ids: Array<string> = []
  let cursor: unknown
  do {
    const page = yield* callCommand(target, "review.list", {
      limit: 100,
      ...(mission === undefined ? {} : { mission_id: mission }),
      ...(typeof cursor === "string" ? { cursor } : {})
    })
    ids.push(...objectsOf(page["items"]).map(({ item_id }) => String(item_id)))
    cursor = page["next_cursor"]
  } while (typeof cursor === "string")
  return ids
})

/** An item as it was read. Only messages have several texts, and can be edited. */
export interface ReviewItem {
  readonly id: string
  readonly kind: "message" | "invitation" | "email" | "approval"
  readonly heading: string
  readonly texts: ReadonlyArray<string>
  /** Problems, findings, and what is known about the lead, one line each. */
  readonly details: ReadonlyArray<string>
  /** Binds a decision to what was read; approval requests have none. */
  readonly contentHash: { readonly content_hash?: string }
  /** The LinkedIn profile of a message's lead; empty if none is shown. */
  readonly profileUrl: string
}

/** States in which a person can decide on an item. */
const reviewable: ReadonlySet<unknown> = new Set(["in_review", "failed", "pending"])

const joined = (parts: ReadonlyArray<unknown>, by = ", "): string =>
  parts.filter((part) => typeof part === "string" && part !== "").join(by)

const textsOf = ({ approval, draft, email, item }: Row): ReadonlyArray<string> => {
  if (draft !== null) return objectsOf(Object(draft).variations).map(({ body_text }) => String(body_text))
  if (email !== null) return [String(Object(email).body_text)]
  return [approval === null ? String(Object(item).preview) : JSON.stringify(Object(approval).input, undefined, 2)]
}

const detailsOf = ({ findings, lead, mission, problem, subject, thread }: Row): ReadonlyArray<string> => [
  joined([Object(problem).what, Object(problem).guidance], " "),
  typeof subject === "string" ? `Subject: ${subject}` : "",
  ...objectsOf(findings).map(({ hint, message, severity, variation_index: at }) =>
    joined([`${severity}:`, typeof at === "number" ? `text ${at + 1}:` : "", message, hint], " ")
  ),
  joined([Object(lead).headline, Object(lead).location, Object(lead).email, Object(lead).linkedin_url]),
  joined([Object(lead).status, Object(mission).name]),
  ...objectsOf(thread).map(({ at, direction, text }) =>
    [String(at).slice(0, 10), direction === "inbound" ? "received:" : "sent:", text].join(" ")
  )
]

const itemOf = (id: string, data: Row): ReviewItem | undefined => {
  const { content_hash, item, lead } = data
  const { agent, kind, preview, state } = Object(item)
  if (!reviewable.has(state)) return undefined
  const { company_name, job_title, name } = Object(lead)
  const person = lead === null ? preview : joined([name, joined([job_title, company_name], " at ")])
  return {
    id,
    kind,
    heading: joined([person, kind, agent?.name && `from ${agent.name}`]),
    texts: textsOf(data),
    details: detailsOf(data).filter((line) => line !== ""),
    contentHash: typeof content_hash === "string" ? { content_hash } : {},
    profileUrl: String(Object(Object(data["draft"]).lead).linkedin_url ?? "")
  }
}

/** Reads an item; undefined if it is no longer to be reviewed. */
export const readItem = (target: Target, id: string): Effect.Effect<ReviewItem | undefined, Failure> =>
  callCommand(target, "review.get", { item_id: id }).pipe(
    Effect.map((data) => itemOf(id, data)),
    Effect.catchIf(
      ({ code }) => code === "NOT_FOUND",
      () => Effect.undefined
    )
  )

/** The item for a terminal of this width, its texts exactly as they will be sent. */
export const shownItem = ({ details, heading, texts }: ReviewItem, place: string, width: number): string =>
  [
    "",
    ...exactLines(`${place}  ${heading}`, width),
    ...details.flatMap((line) => exactLines(line, width - 2)).map((line) => `  ${line}`),
    ...texts.flatMap((text, at) => ["", ...(texts.length > 1 ? [`Text ${at + 1}`] : []), ...exactLines(text, width)]),
    ""
  ].join("\n")
