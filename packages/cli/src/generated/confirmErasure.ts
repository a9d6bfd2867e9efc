/** The confirmation of `svc lead erase`. */
import * as Prompt from "effect/cli/Prompt"
import * as Effect from "effect/Effect"
import { orExit } from "../commands/runCommand.ts"
import { CliExit, invalid, isInteractive, type Json, note } from "../Output.ts"
import { dataOf, sendCommand, type Target } from "../Target.ts"
import { cellOf } from "../table.ts"
import { quoteForShell } from "./flagsOf.ts"

/** Ends the run of a person who did not confirm. */
export const notConfirmed: Effect.Effect<never, CliExit> = Effect.suspend(() =>
  Effect.andThen(note("svc: Nothing was changed."), new CliExit({ exitCode: 130 }))
)

const same = (one: unknown, other: string): boolean => String(one).trim().toLowerCase() === other.toLowerCase()

/**
 * The input with its confirmation: `--confirm` repeats what was typed for the lead, or its id; `yes` confirms; a person at a
 * terminal sees who it is, and types the email. Fails with INVALID_INPUT for a script that confirms nothing.
 */
export const confirmErasure = Effect.fnUntraced(function* (
  target: Target,
  input: Json,
  { json, typed, yes }: { readonly json: boolean; readonly typed: unknown; readonly yes: boolean }
) {
  const { confirm, lead_id } = input
  if (typeof lead_id !== "string" || typeof typed !== "string") return input
  const confirmed = { ...input, confirm: lead_id }
  if (yes || same(confirm, typed)) return confirmed
  if (confirm !== undefined) return input
  if (!isInteractive(json)) {
    return yield* invalid(`An erasure can't be undone. Add --confirm ${quoteForShell(typed)}, or --yes.`)
  }
  const { company, email, linkedin_url, name }: Json = Object(
    dataOf(yield* orExit(sendCommand(target, "lead.get", { lead_id }), json))["lead"]
  )
  const wanted = cellOf(email) || lead_id
  const person = [name, company, email, linkedin_url].map(cellOf).filter((text) => text !== "")
  yield* note(`${person.join("\n")}\nThis erases the person and everything known about them. You can't undo this.`)
  const answer = yield* Prompt.run(Prompt.String({ message: `Type ${wanted} to confirm` }))
  return same(answer, wanted) ? confirmed : yield* notConfirmed
})
