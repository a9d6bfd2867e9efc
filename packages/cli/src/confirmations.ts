/** Questions before what cannot be undone. A person at a terminal is asked, unless `yes`; a script never is. */
import * as Prompt from "effect/cli/Prompt"
import * as Effect from "effect/Effect"
import { quoteForShell } from "./generated/flagsOf.ts"
import { CliExit, invalid, isInteractive, type Json, note } from "./Output.ts"
import { callCommand, type Target } from "./Target.ts"
import { cellOf } from "./table.ts"

/** Ends the run of a person who did not confirm. */
export const notConfirmed: Effect.Effect<never, CliExit> = Effect.suspend(() =>
  Effect.andThen(note("svc: Nothing was changed."), new CliExit({ exitCode: 130 }))
)

/** Asks, and ends the run with 130 when the person says no. */
export const confirmed = (message: string, initial = false) =>
  Effect.flatMap(Prompt.run(Prompt.Confirm({ message, initial })), (isWanted) =>
    isWanted ? Effect.void : notConfirmed
  )

const text = (value: unknown): string => (typeof value === "string" ? ` ${value.slice(0, 80)}` : "")

/** What cannot be undone, by command. */
const questions: Readonly<Record<string, (input: Json) => string | undefined>> = {
  "lead.merge": ({ winner_lead_id }) =>
    `Merge the other leads into${text(winner_lead_id)}; they cannot be separated again`,
  "offer.delete": ({ offer_id }) => `Delete offer${text(offer_id)}`,
  "mission.delete": ({ mission_id }) => `Delete mission${text(mission_id)}`,
  "agent.delete": ({ agent_handle }) => `Delete agent${text(agent_handle)}`,
  "webhook.delete": ({ webhook_id }) => `Delete webhook${text(webhook_id)} and its deliveries`,
  "key.revoke": ({ key_id }) => `Revoke key${text(key_id)}; whatever uses it stops working`,
  "agent-run.undo": ({ key_id, since }) => `Undo what key${text(key_id)} did since${text(since)}`,
  "import.undo": ({ import_id }) => `Delete the leads that import${text(import_id)} created`,
  "linkedin.draft.approve": ({ draft_id, send_now }) =>
    send_now === true ? `Send the message of draft${text(draft_id)} now, to a real person` : undefined
}

const erasure = "lead.erase"

/** Whether a command may ask, and has `--yes`. */
export const mayAsk = (id: string): boolean => id === erasure || Object.hasOwn(questions, id)

const same = (one: unknown, other: string): boolean => String(one).trim().toLowerCase() === other.toLowerCase()

interface Asking {
  readonly json: boolean
  /** What was typed for the lead. */
  readonly typed: unknown
  readonly yes: boolean
}

/**
 * The input with the confirmation of an erasure: `--confirm` repeats what was typed for the lead, or its id; `yes` confirms; a
 * person at a terminal sees who it is, and types the email. Fails with INVALID_INPUT for a script that confirms nothing.
 */
const confirmErasure = Effect.fnUntraced(function* (target: Target, input: Json, { json, typed, yes }: Asking) {
  const { confirm, lead_id } = input
  if (typeof lead_id !== "string" || typeof typed !== "string") return input
  const erased = { ...input, confirm: lead_id }
  if (yes || same(confirm, typed)) return erased
  if (confirm !== undefined) return input
  if (!isInteractive(json)) {
    return yield* invalid(`An erasure can't be undone. Add --confirm ${quoteForShell(typed)}, or --yes.`)
  }
  const { company, email, linkedin_url, name }: Json = Object(
    (yield* callCommand(target, "lead.get", { lead_id }))["lead"]
  )
  const wanted = cellOf(email) || lead_id
  const person = [name, company, email, linkedin_url].map(cellOf).filter((text) => text !== "")
  yield* note(`${person.join("\n")}\nThis erases the person and everything known about them. You can't undo this.`)
  const answer = yield* Prompt.run(Prompt.String({ message: `Type ${wanted} to confirm` }))
  return same(answer, wanted) ? erased : yield* notConfirmed
})

/** The input, confirmed where the command cannot be undone. Ends with 130 when the person says no. */
export const confirmedInput = Effect.fnUntraced(function* (target: Target, id: string, input: Json, asking: Asking) {
  if (id === erasure) return yield* confirmErasure(target, input, asking)
  const question = asking.yes || !isInteractive(asking.json) ? undefined : questions[id]?.(input)
  if (question !== undefined) yield* confirmed(`${question}? This cannot be undone.`)
  return input
})
