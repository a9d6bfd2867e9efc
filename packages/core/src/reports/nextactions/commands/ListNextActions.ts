import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../../kernel/command/Actor.ts"
import * as Command from "../../../kernel/command/Command.ts"
import { NotFound } from "../../../kernel/failure/failures.ts"
import { Limit } from "../../../kernel/schema/Page.ts"
import { now } from "../../../kernel/schema/Time.ts"
import { LeadStatus } from "../../../leads/LeadStatus.ts"
import { ActionKind, actionReason, staleDays } from "../../../leads/NextAction.ts"
import { MissionIdText } from "../../../missions/MissionInput.ts"
import { refuseUnknownMission } from "../../../missions/MissionsRepo.ts"
import { ReportsRepo, type WaitingLead } from "../../ReportsRepo.ts"

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
  why: actionReason(action),
  name: lead.name,
  job_title: jobTitle,
  company: lead.company,
  status: lead.status,
  score: lead.score,
  draft_id: draftId,
  mission: mission === null ? null : { mission_id: mission.id, handle: mission.handle, name: mission.name }
})

/** `mission.next-actions`: the work list, most urgent first. */
export const ListNextActions = Command.make({
  id: "mission.next-actions",
  title: "Next actions",
  summary: "List leads with a pending action, most urgent first",
  description:
    "Returns the daily work list of one mission or of the whole workspace: leads who wrote last, sends of unknown " +
    "outcome, rewrites that a reviewer asked for, drafts to review, accepted invitations, and leads of a mission who were not contacted yet, lack " +
    `profile data, or have not replied for ${staleDays} days. Within a kind, the best score comes first. There is ` +
    "only one page: completing the first items makes room for the next.",
  whenToUse: "At the start of a working session, and after each batch, to see what comes next.",
  category: "missions",
  risk: "read",
  scope: "leads:read",
  input: Schema.Struct({
    mission_id: Schema.optionalKey(
      MissionIdText.annotate({ description: "Id or handle of one mission; omit for all leads" })
    ),
    limit: Limit
  }),
  output: Schema.Struct({ actions: Schema.Array(NextAction) }),
  failures: [NotFound],
  outputNotes: [
    "mission is the one you asked for, otherwise the open mission that the lead was added to last.",
    "Suppressed leads are never listed.",
    "Leads of archived and completed missions only are listed if they wrote last or a send has an unknown outcome."
  ],
  relatedCommands: ["lead.get", "linkedin.draft.create", "linkedin.draft.approve", "lead.search"],
  relatedResources: ["svc://actions/today", "svc://prospects/{id}"],
  examples: [
    { title: "The next ten of all missions", input: { limit: 10 } },
    { title: "Of one mission", input: { mission_id: "spring-outreach" } }
  ],
  run: Effect.fnUntraced(function* ({ limit, mission_id }) {
    const { organizationId } = yield* Actor
    const leads = yield* (yield* ReportsRepo).nextActions(organizationId, mission_id, limit, yield* now)
    yield* refuseUnknownMission(mission_id, leads)
    return { actions: leads.map(actionOf) }
  })
})
