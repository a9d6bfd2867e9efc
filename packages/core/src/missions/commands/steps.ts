/** Reading and setting the steps of a mission. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { Actor, emit, ownRecord } from "../../kernel/command/Execution.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { canonicalJson } from "../../kernel/schema/Hash.ts"
import { MissionArchived } from "../failures.ts"
import { type MissionRow, MissionStep, maxSteps } from "../Mission.ts"
import { MissionIdText } from "../MissionInput.ts"
import { refuseArchived, refuseWithoutEmail } from "../MissionStatus.ts"
import { MissionsRepo } from "../MissionsRepo.ts"

const stepsOutput = Schema.Struct({ mission_id: Schema.String, steps: Schema.Array(MissionStep) })

const shown = ({ id, steps }: Pick<MissionRow, "id" | "steps">): typeof stepsOutput.Type => ({ mission_id: id, steps })

/** `mission.steps.get`: reads the steps of a mission. */
export const GetSteps = Command.make({
  id: "mission.steps.get",
  title: "Get a mission's steps",
  summary: "Get the follow-ups that a mission plans",
  description:
    "Returns the steps of a mission in order: after what a follow-up is due, on which channel, and what it is for.",
  whenToUse: "Before you change them, or to see what follows a first message.",
  risk: "read",
  scope: "missions:read",
  input: Schema.Struct({ mission_id: MissionIdText }),
  output: stepsOutput,
  failures: [NotFound],
  outputNotes: ["A mission without follow-ups has no steps."],
  relatedCommands: ["mission.steps.set", "mission.next-actions"],
  relatedResources: ["svc://missions/{handle}"],
  examples: [{ title: "Steps of the sample mission", input: { mission_id: "spring-outreach" } }],
  run: Effect.fnUntraced(function* ({ mission_id }) {
    return shown(yield* ownRecord("mission", mission_id, (yield* MissionsRepo).findByIdOrHandle))
  })
})

/** `mission.steps.set`: replaces the steps of a mission. */
export const SetSteps = Command.make({
  id: "mission.steps.set",
  title: "Set a mission's steps",
  summary: "Set the follow-ups that a mission plans",
  description:
    "Replaces the steps of a mission. When a step is due for a lead, mission.next-actions lists the lead with follow_up_due, and the " +
    "event lead.follow_up_due is emitted. What is written for the lead on the step's channel is that follow-up: a draft like any " +
    "other, which a person reviews. A reply on any channel, or another status than New, Waiting or Contacted, ends the follow-ups.",
  whenToUse: "To plan what to write when a person does not reply, or accepts an invitation.",
  risk: "mutate",
  scope: "missions:write",
  input: Schema.Struct({
    mission_id: MissionIdText,
    steps: Schema.Array(MissionStep)
      .check(Schema.isMaxLength(maxSteps))
      .annotate({ description: `The steps in order, at most ${maxSteps}; an empty list removes them` })
  }),
  output: stepsOutput,
  failures: [MissionArchived, NotFound],
  riskNotes: [
    "Writes and sends nothing by itself. Only the first email to a lead can then leave without review.",
    "Leads keep their place: a lead at step 3 continues with step 3 of the new list."
  ],
  outputNotes: ["The stored steps; repeating the call changes nothing."],
  relatedCommands: ["mission.steps.get", "mission.next-actions", "linkedin.draft.create", "email.send"],
  relatedResources: ["svc://missions/{handle}"],
  examples: [
    {
      title: "Two follow-ups",
      input: {
        mission_id: "spring-outreach",
        steps: [
          {
            after: "no_reply",
            working_days: 4,
            channel: "LINKEDIN",
            purpose: "Add one fact about their month-end, and ask one question",
            evidence: "lead.recentPosts or a reference of the offer"
          },
          { after: "no_reply", working_days: 6, channel: "EMAIL", purpose: "Say that this is the last message" }
        ]
      }
    },
    { title: "No follow-ups", input: { mission_id: "spring-outreach", steps: [] } }
  ],
  run: Effect.fnUntraced(function* ({ mission_id, steps }) {
    const { organizationId } = yield* Actor
    const repo = yield* MissionsRepo
    const mission = yield* ownRecord("mission", mission_id, repo.hold)
    yield* Effect.fromResult(refuseArchived(mission.status, "plan"))
    if (steps.some(({ channel }) => channel === "EMAIL")) yield* Effect.fromResult(refuseWithoutEmail(mission, "steps"))
    if (canonicalJson(steps) !== canonicalJson(mission.steps)) {
      yield* repo.saveSteps(organizationId, mission.id, steps)
      const data = { handle: mission.handle, changed: ["steps"] }
      yield* emit({ type: "mission.updated", subject: { type: "mission", id: mission.id }, data })
    }
    return shown({ id: mission.id, steps })
  })
})
