/** The prompt loop of `svc drafts review`: shows an item, asks for a decision, makes it, and goes to the next. */

import type { Failure } from "@svc/core"
import * as Effect from "effect/Effect"
import type { Json } from "../Output.ts"
import { callCommand, objectsOf, type Target } from "../Target.ts"
import { exactLines } from "../view/detail.ts"

/** Everything to review that matches, oldest first. Fails with NOT_FOUND for an unknown mission. */
export const waitingItems = Effect.fnUntraced(function* (target: Target, filter: Json) {
  const items: Array<Json> = []
  let cursor: unknown
  do {
    const next = typeof cursor === "string" ? { cursor } : {}
    const page = yield* callCommand(target, "review.list", { limit: 100, ...filter, ...next })
    items.push(...objectsOf(page["items"]))
    cursor = page["next_cursor"]
  } while (typeof cursor === "string")
  return items
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

const textsOf = ({ approval, draft, email, item }: Json): ReadonlyArray<string> => {
  if (draft !== null) return objectsOf(Object(draft).variations).map(({ body_text }) => String(body_text))
  if (email !== null) return [String(Object(email).body_text)]
  return [approval === null ? String(Object(item).preview) : JSON.stringify(Object(approval).input, undefined, 2)]
}

const detailsOf = ({ findings, lead, mission, problem, subject, thread }: Json): ReadonlyArray<string> => [
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

const itemOf = (id: string, data: Json): ReviewItem | undefined => {
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

/** What a person decides on an item; `text` is the index of the chosen text. */
export type Choice =
  | { readonly _tag: "Approve" | "Edit"; readonly text: number }
  | { readonly _tag: "Reject" | "Skip" | "Quit" }

/** How the person is asked. */
interface Conversation<E, R> {
  readonly say: (text: string) => Effect.Effect<void>
  /** Shows the item, at a place such as "1 of 3", and asks. */
  readonly choose: (item: ReviewItem, place: string) => Effect.Effect<Choice, E, R>
  readonly askReason: Effect.Effect<string, E, R>
  /** The edited text; the same if it was not changed. */
  readonly edit: (text: string) => Effect.Effect<string, E, R>
}

/** The command that decides, and its input. */
export const decision = (item: ReviewItem, choice: Choice, reason: string): readonly [string, object] => {
  const { contentHash, id, kind, profileUrl: profile_url } = item
  const verb = choice._tag === "Approve" ? "approve" : "reject"
  const because = reason === "" ? {} : { reason }
  if (kind === "message") {
    const chosen = choice._tag === "Approve" ? { variation_index: choice.text, profile_url } : because
    return [`linkedin.draft.${verb}`, { draft_id: id, ...contentHash, ...chosen }]
  }
  if (kind === "email") {
    return ["email.review.decide", { review_id: id, decision: verb, ...contentHash, ...because }]
  }
  return ["approval.resolve", { approval_request_id: id, decision: verb, ...because }]
}

/**
 * Reviews every waiting item, of one mission if it is given, until the person quits. Returns how many were approved and
 * rejected. A decision holds for what was shown: if the item changed meanwhile, it is shown again.
 *
 * Fails with NOT_FOUND for an unknown mission. A decision that is refused is shown, and the item asked again.
 */
export const review = Effect.fnUntraced(function* <E, R>(
  target: Target,
  mission: string | undefined,
  { askReason, choose, edit, say }: Conversation<E, R>
) {
  const counts = { approved: 0, rejected: 0 }
  const items = yield* waitingItems(target, mission === undefined ? {} : { mission_id: mission })
  const ids = items.map(({ item_id }) => String(item_id))
  // An edit that could not be saved, so that it is not lost.
  let unsaved: { readonly id: string; readonly text: string } | undefined
  for (let at = 0; at < ids.length; ) {
    const id = ids[at] ?? ""
    const item = yield* readItem(target, id)
    if (item === undefined) {
      yield* say("Somebody else has decided on this item.")
      at++
      continue
    }
    const choice = yield* choose(item, `${at + 1} of ${ids.length}`)
    if (choice._tag === "Quit") break
    if (choice._tag === "Skip") {
      at++
      continue
    }
    if (choice._tag === "Edit") {
      const before = item.texts[choice.text] ?? ""
      const text = yield* edit(unsaved?.id === id ? unsaved.text : before)
      unsaved = undefined
      if (text === before || text.trim() === "") continue
      const variations = item.texts.map((old, index) => (index === choice.text ? text : old))
      yield* callCommand(target, "linkedin.draft.update", { draft_id: id, variations, ...item.contentHash }).pipe(
        Effect.catch(({ message }) => {
          unsaved = { id, text }
          return say(`${message} Your text was not saved; Edit opens it again.`)
        })
      )
      continue
    }
    const reason = choice._tag === "Reject" ? yield* askReason : ""
    const [command, input] = decision(item, choice, reason)
    yield* callCommand(target, command, input).pipe(
      Effect.matchEffect({
        onFailure: ({ message }) => say(message),
        onSuccess: ({ approval_required }) => {
          counts[choice._tag === "Approve" ? "approved" : "rejected"]++
          at++
          return approval_required === true ? say("A policy asks another person to approve this first.") : Effect.void
        }
      })
    )
  }
  return counts
})
