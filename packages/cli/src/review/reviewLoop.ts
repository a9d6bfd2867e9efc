/** The prompt loop of `svc drafts review`: shows an item, asks for a decision, makes it, and goes to the next. */
import * as Effect from "effect/Effect"
import { callCommand } from "../callCommand.ts"
import type { Target } from "../Target.ts"
import { type ReviewItem, readItem, waitingIds } from "./reviewItem.ts"

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
const decision = (item: ReviewItem, choice: Choice, reason: string): readonly [string, object] => {
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
  const ids = yield* waitingIds(target, mission)
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
