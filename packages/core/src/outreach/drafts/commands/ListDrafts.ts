import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../../kernel/command/Actor.ts"
import * as Command from "../../../kernel/command/Command.ts"
import { InvalidCursor, NotFound } from "../../../kernel/failure/failures.ts"
import { CursorText, Limit, NextCursor, readPage } from "../../../kernel/schema/Page.ts"
import { nonEmptyLine } from "../../../kernel/schema/TextFields.ts"
import { refuseUnknownMission } from "../../../missions/refuseUnknownMission.ts"
import { DraftStatus } from "../DraftStatus.ts"
import { DraftsRepo } from "../DraftsRepo.ts"
import { draftOf } from "../DraftView.ts"
import { LinkedInDraft } from "../LinkedInDraft.ts"

const optional = Schema.optionalKey

/** `linkedin.draft.list`: reads drafts, newest first. */
export const ListDrafts = Command.make({
  id: "linkedin.draft.list",
  title: "List LinkedIn drafts",
  summary: "List LinkedIn drafts, newest first",
  description: "Returns a page of drafts. Pass next_cursor as cursor for the next page; it is null on the last page.",
  whenToUse:
    "To see what is waiting for review (status PENDING_REVIEW), or what was written to a lead or for a mission.",
  category: "linkedin",
  risk: "read",
  scope: "linkedin:read",
  input: Schema.Struct({
    status: optional(
      Schema.Array(DraftStatus).check(Schema.isMaxLength(4)).annotate({
        description: "Only drafts in these statuses. Omit for all"
      })
    ),
    lead_id: optional(nonEmptyLine(64, "Only drafts for this lead")),
    mission_id: optional(nonEmptyLine(64, "Only drafts of this mission. Its id or handle")),
    agent_handle: optional(nonEmptyLine(64, "Only drafts of this agent. Its handle or id")),
    cursor: CursorText,
    limit: Limit
  }),
  output: Schema.Struct({ drafts: Schema.Array(LinkedInDraft), next_cursor: NextCursor }),
  failures: [InvalidCursor, NotFound],
  relatedCommands: ["linkedin.draft.get", "linkedin.draft.approve", "linkedin.draft.create"],
  relatedResources: ["svc://linkedin/drafts/pending"],
  examples: [{ title: "Drafts waiting for review", input: { status: ["PENDING_REVIEW"], limit: 10 } }],
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const repo = yield* DraftsRepo
    const filter = {
      status: input.status ?? [],
      leadId: input.lead_id,
      mission: input.mission_id,
      agent: input.agent_handle
    }
    const page = yield* readPage(organizationId, "linkedin.drafts", input, (request) =>
      repo.list(organizationId, filter, request)
    )
    yield* refuseUnknownMission(input.mission_id, page.items)
    return { drafts: page.items.map(draftOf), next_cursor: page.nextCursor }
  })
})
