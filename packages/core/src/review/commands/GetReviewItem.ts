import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../kernel/command/Actor.ts"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { now } from "../../kernel/schema/Time.ts"
import { TransmissionsRepo } from "../../outreach/transmission/TransmissionsRepo.ts"
import { problemOf } from "../problemOf.ts"
import { ReviewDetails } from "../ReviewDetails.ts"
import { commandTitles, itemOf } from "../ReviewItem.ts"
import { readDeparture } from "../readDeparture.ts"
import { readEntry } from "../readEntry.ts"
import { readOwnPart } from "../readOwnPart.ts"
import { readSurroundings } from "../readSurroundings.ts"
import { ViewersRepo } from "../ViewersRepo.ts"
import { lookOf } from "../viewers.ts"

/** `review.get`: reads one item with everything needed to decide on it. */
export const GetReviewItem = Command.make({
  id: "review.get",
  title: "Get an item to review",
  summary: "Get an item with its lead, thread, findings and forecast",
  description:
    "Returns a draft, email, invitation, approval request or reply with what a reviewer needs: the texts and their " +
    "findings, the lead, the conversation, the brief, the offer's proof, what other reviewers said, when it is sent and " +
    "why, and what can be done about a problem. Parts that your scopes do not cover are null.",
  whenToUse: "Before deciding on an item of review.list, and to read why a draft was rejected or how to rewrite it.",
  category: "linkedin",
  risk: "read",
  scope: "linkedin:read",
  effects: { does: ["reads"], channels: ["linkedin"] },
  input: Schema.Struct({ item_id: nonEmptyLine(64, "item_id from review.list") }),
  output: ReviewDetails,
  failures: [NotFound],
  outputNotes: [
    "content_hash binds a decision to what was read: send it with linkedin.draft.approve and its siblings."
  ],
  relatedCommands: ["review.list", "linkedin.draft.approve", "linkedin.draft.update", "linkedin.draft.check"],
  relatedResources: ["svc://linkedin/drafts/{id}", "svc://prospects/{id}"],
  examples: [{ title: "A draft", input: { item_id: "drf_SAMPLE00000000000000000001" } }],
  run: Effect.fnUntraced(function* ({ item_id }) {
    const actor = yield* Actor
    const { organizationId } = actor
    const at = yield* now
    const entry = yield* readEntry(item_id, at)
    const { queueId } = entry
    const view = queueId === null ? undefined : yield* (yield* TransmissionsRepo).find(organizationId, queueId)
    const own = yield* readOwnPart(entry, view, at)
    const departure = yield* readDeparture(entry, view, at)
    return {
      item: itemOf(entry, own.findings, departure?.leaves_at ?? null, yield* commandTitles),
      ...own,
      ...(yield* readSurroundings(entry)),
      departure,
      viewers: yield* (yield* ViewersRepo).others(organizationId, lookOf(actor, item_id), at),
      problem: problemOf(entry) ?? null
    }
  })
})
