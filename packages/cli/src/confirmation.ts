/** Questions before what cannot be undone. */
import * as Prompt from "effect/cli/Prompt"
import * as Effect from "effect/Effect"
import { CliExit, isInteractive, note } from "./Output.ts"

type Input = Readonly<Record<string, unknown>>

const text = (value: unknown): string => (typeof value === "string" ? ` ${value.slice(0, 80)}` : "")

/** What cannot be undone, by command. */
const questions: Readonly<Record<string, (input: Input) => string | undefined>> = {
  "lead.erase": ({ lead_id }) => `Erase lead${text(lead_id)} and everything known about this person`,
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

/** Whether a command may ask, and has `--yes`. */
export const mayAsk = (id: string): boolean => Object.hasOwn(questions, id)

/**
 * Asks a person at a terminal before a command that cannot be undone, unless `yes`; a script is never asked. Ends with 130 when
 * the person says no.
 */
export const confirmed = (
  id: string,
  input: Input,
  { json, yes }: { readonly json: boolean; readonly yes: boolean }
) => {
  const question = yes || !isInteractive(json) ? undefined : questions[id]?.(input)
  if (question === undefined) return Effect.void
  return Prompt.run(Prompt.Confirm({ message: `${question}? This cannot be undone.`, initial: false })).pipe(
    Effect.mapError(() => new CliExit({ exitCode: 130 })),
    Effect.flatMap((sure) =>
      sure
        ? Effect.void
        : Effect.andThen(note("svc: nothing was changed."), Effect.fail(new CliExit({ exitCode: 130 })))
    )
  )
}
