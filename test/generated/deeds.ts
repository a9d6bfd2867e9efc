/** What rules are about, who may do it, and everybody who may not. */
import { commands } from "#core/commands.ts"
import type { AnyCommand } from "#core/kernel/command/Command.ts"
import type { ActorIdentity } from "#core/kernel/command/Execution.ts"
import { type CommandPolicy, noPolicies, scopes } from "#core/kernel/command/Permission.ts"
import { hasScope, permissionOf, refusal } from "#core/kernel/command/Policy.ts"

/** Something that rules are about. */
interface Deed {
  /** Whoever may run none of these must not do it. */
  readonly commands: ReadonlyArray<string>
  /** A scope that it takes as well. */
  readonly scope?: ActorIdentity["scopes"][number]
  /** The events that say it was done. */
  readonly events?: ReadonlyArray<string>
  /** A number that grows when it is done, whether or not an event says so. */
  readonly grows?: (of: Facts) => number
  /** Every command that does it with some input, for whoever may. */
  readonly doneBy: ReadonlyArray<string>
}

/** What no event says. */
export interface Facts {
  readonly withoutReview: number
  readonly limits: number
  /** Limits that were added. */
  readonly windows: number
  /** 1 if somebody who was suppressed may be contacted. */
  readonly reachable: number
}

const approved = "approval.resolve"

/** What rules are about, by its name. */
export const deeds: Readonly<Record<string, Deed>> = {
  "merges leads": {
    commands: ["lead.merge"],
    events: ["lead.merged"],
    doneBy: [approved, "lead.merge", "lead.upsert"]
  },
  // Whoever merges a person with one who is suppressed does not contact either.
  "suppresses a person": {
    commands: ["lead.suppress", "lead.merge"],
    events: ["lead.suppressed"],
    doneBy: [
      approved,
      "import.leads.add",
      "lead.merge",
      "lead.message.record",
      "lead.status.set",
      "lead.suppress",
      "lead.upsert"
    ]
  },
  "lifts a suppression": {
    commands: ["lead.suppression.lift"],
    events: ["lead.unsuppressed"],
    grows: ({ reachable }) => reachable,
    doneBy: [approved, "lead.suppression.lift"]
  },
  // What only an import or a run has added may be taken back with it.
  "erases a lead": {
    commands: ["lead.erase", "import.undo", "agent-run.undo"],
    events: ["lead.erased"],
    doneBy: ["agent-run.undo", "import.undo", "lead.erase"]
  },
  "approves a draft": {
    commands: ["linkedin.draft.approve"],
    events: ["draft.approved"],
    doneBy: [approved, "linkedin.draft.approve", "linkedin.draft.approve-many"]
  },
  // A person who looked may say that an unknown one was sent.
  "sends a message": {
    commands: ["linkedin.draft.approve", "linkedin.queue.resolve"],
    scope: "linkedin:send",
    events: ["draft.dispatched"],
    doneBy: ["linkedin.draft.approve", "linkedin.queue.resolve"]
  },
  "invites a person": {
    commands: ["linkedin.invitation.send"],
    events: ["invitation.queued", "invitation.sent"],
    doneBy: [approved, "linkedin.draft.approve", "linkedin.invitation.send"]
  },
  "queues an email": { commands: ["email.send"], events: ["email.queued"], doneBy: [approved, "email.send"] },
  "decides on an email": {
    commands: ["email.review.decide"],
    events: ["email.review.decided"],
    doneBy: ["email.review.decide"]
  },
  "switches a review off": {
    commands: ["email.review.decide"],
    grows: ({ withoutReview }) => withoutReview,
    doneBy: [approved, "mission.create", "mission.update"]
  },
  "raises a limit": {
    commands: ["linkedin.usage.set-limits"],
    grows: ({ limits }) => limits,
    doneBy: [approved, "agent.update", "linkedin.usage.set-limits"]
  }
}

const find = (id: string): AnyCommand => {
  const found = commands.find((command: AnyCommand) => command.id === id)
  if (found === undefined) throw new Error(`there is no command ${id}`)
  return found
}

/** Whether an actor may run a command: without asking anybody, or at all where a person has approved it. */
const mayRun = (actor: ActorIdentity, command: AnyCommand, isApproved: boolean): boolean => {
  const permission = permissionOf(actor.policies ?? noPolicies, command, actor.kind)
  return refusal(actor, command) === undefined && (permission === "allow" || (isApproved && permission === "ask"))
}

/** Whether an actor may do something by a command. */
export const mayDo = (actor: ActorIdentity, { commands: guards, scope }: Deed, by: string): boolean =>
  (scope === undefined || hasScope(actor, scope)) &&
  guards.some((id) => mayRun(actor, find(id), by === "approval.resolve"))

/** Who asks: an owner who lacks something. */
export const setups: Readonly<Record<string, Partial<ActorIdentity>>> = {
  ...Object.fromEntries(
    [
      ...new Set(
        Object.values(deeds).flatMap((deed) => [...deed.commands.map((id) => find(id).scope), deed.scope ?? "admin"])
      )
    ]
      .filter((scope) => scope !== "admin")
      .map((missing) => [
        `without the scope ${missing}`,
        { scopes: scopes.filter((scope) => scope !== missing && scope !== "admin") }
      ])
  ),
  "with a draft-only key": { mode: "draft_only" },
  ...Object.fromEntries(
    (["approval", "mutate"] as const).flatMap((risk) =>
      (["ask", "deny"] as const).flatMap((permission) => {
        const policy: CommandPolicy = { [risk]: permission }
        return (["key", "organization"] as const).map((layer) => [
          `where the policy of the ${layer} says ${risk}: ${permission}`,
          { policies: { ...noPolicies, [layer]: policy } }
        ])
      })
    )
  ),
  ...Object.fromEntries(
    (["ask", "deny"] as const).map((agents) => [
      `as an AI agent where the policy says agents: ${agents}`,
      { kind: "AI_AGENT", policies: { key: {}, organization: { agents } } }
    ])
  )
}
