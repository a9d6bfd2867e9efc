import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../Actor.ts"
import * as Command from "../../Command.ts"
import { type Failure, notFound } from "../../Failure.ts"
import { MissionIdText, MissionsRepo } from "../../missions/index.ts"
import { Limit } from "../../Page.ts"
import { now } from "../../Time.ts"
import { LeadStatus } from "../LeadStatus.ts"
import { ActionKind, staleDays, whyOf } from "../NextAction.ts"
import { NextActionsRepo, type WaitingLead } from "../NextActionsRepo.ts"

const text = Schema.String

/** One thing to do. */
const NextAction = Schema.Struct({
  lead_id: text,
  kind: ActionKind,
  why: text,
  name: text,
  job_title: text,
  company: text,
  status: LeadStatus,
  score: Schema.Finite,
  draft_id: Schema.NullOr(text).annotate({ description: "The lead's open draft" }),
  mission: Schema.NullOr(Schema.Struct({ mission_id: text, handle: text, name: text }))
})

const actionOf = ({ action, draftId, id, jobTitle, mission, ...lead }: WaitingLead): typeof NextAction.Type => ({
  lead_id: id,
  kind: action,
  why: whyOf(action),
  name: lead.name,
  job_title: jobTitle,
  company: lead.company,
  status: lead.status,
  score: lead.score,
  draft_id: draftId,
  mission: mission === null ? null : { mission_id: mission.id, handle: mission.handle, name: mission.name }
})

/** The output of mission.next-actions, which `svc://actions/today` shows too. */
export const NextActions = Schema.Struct({ actions: Schema.Array(NextAction) })

/** Reads the first things to do. Fails with NOT_FOUND for a mission that is not there. */
export const readNextActions = Effect.fnUntraced(function* (
  mission: string | undefined,
  limit: number
): Effect.fn.Return<typeof NextActions.Type, Failure, Actor | MissionsRepo | NextActionsRepo> {
  const { organizationId } = yield* Actor
  const leads = yield* (yield* NextActionsRepo).list(organizationId, mission, limit, yield* now)
  // Only an empty list leaves open whether there is such a mission.
  if (mission !== undefined && leads.length === 0) {
    const found = yield* (yield* MissionsRepo).findByIdOrHandle(organizationId, mission)
    if (found === undefined) return yield* notFound("mission", mission)
  }
  return { actions: leads.map(actionOf) }
})

/** `mission.next-actions`: what to do next, most urgent first. */
export const ListNextActions = Command.make({
  id: "mission.next-actions",
  title: "What to do next",
  summary: "List the leads for whom something waits to be done, most urgent first.",
  description:
    "Answers the daily work list of one mission, or of the whole workspace: leads who wrote last, sends of unknown outcome, " +
    "drafts to review, accepted invitations, and leads of a mission to whom nothing was written, of whom too little is known, " +
    `or who have not answered for ${staleDays} days. Within a kind the best score comes first. Doing the first things makes ` +
    "room for the next ones, so there are no further pages.",
  whenToUse: "At the start of a working session, and after each batch, to see what comes next.",
  category: "missions",
  risk: "read",
  scope: "leads:read",
  input: Schema.Struct({
    mission_id: Schema.optionalKey(
      MissionIdText.annotate({ description: "Id or handle of one mission; leave it out for all leads" })
    ),
    limit: Limit
  }),
  output: NextActions,
  outputNotes: [
    "mission is the one asked for, else the one that is not archived and that the lead was added to last.",
    "Leads that must not be contacted, for good or for a time, are never listed."
  ],
  relatedCommands: ["lead.get", "linkedin.draft.create", "linkedin.draft.approve", "lead.search"],
  relatedResources: ["svc://actions/today", "svc://prospects/{id}"],
  examples: [
    { title: "The next ten of all missions", input: { limit: 10 } },
    { title: "Of one mission", input: { mission_id: "spring-outreach" } }
  ],
  run: ({ limit, mission_id }) => readNextActions(mission_id, limit)
})
