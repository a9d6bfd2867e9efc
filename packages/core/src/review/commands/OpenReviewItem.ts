import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../kernel/command/Actor.ts"
import * as Command from "../../kernel/command/Command.ts"
import { Execution } from "../../kernel/command/Execution.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { now } from "../../kernel/schema/Time.ts"
import { secondsAfter } from "../../outreach/transmission/SendOptions.ts"
import { readEntry } from "../readEntry.ts"
import { ViewersRepo } from "../ViewersRepo.ts"
import { lookOf, lookSeconds, Viewers } from "../viewers.ts"
import { GetReviewItem } from "./GetReviewItem.ts"

/** `review.open`: says that the caller looks at an item. */
export const OpenReviewItem = Command.make({
  id: "review.open",
  title: "Open an item to review",
  summary: "Mark an item as being looked at, and list other viewers",
  description:
    `Shows other reviewers for ${lookSeconds} seconds that you look at the item, and returns who else does. Repeat it ` +
    "while you look. It locks nothing: others can still decide.",
  whenToUse: "When several people review at the same time.",
  category: "linkedin",
  risk: "read",
  scope: "linkedin:read",
  input: GetReviewItem.input,
  output: Schema.Struct({ viewers: Viewers }),
  failures: [NotFound],
  relatedCommands: ["review.get", "review.list"],
  relatedResources: ["svc://linkedin/drafts/{id}"],
  examples: [{ title: "A draft", input: { item_id: "drf_SAMPLE00000000000000000001" } }],
  run: Effect.fnUntraced(function* ({ item_id }) {
    const actor = yield* Actor
    const { organizationId } = actor
    const at = yield* now
    yield* readEntry(item_id, at)
    const { look, others } = yield* ViewersRepo
    const { dryRun } = yield* Execution
    const looking = lookOf(actor, item_id)
    return {
      viewers: yield* dryRun
        ? others(organizationId, looking, at)
        : look(organizationId, looking, at, secondsAfter(at, lookSeconds))
    }
  })
})
