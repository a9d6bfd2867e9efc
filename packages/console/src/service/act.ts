/** Changes made by a button: sent at once, with a sentence about what came of it. */
import { newId } from "../form/kept.ts"
import { poll } from "../live/follow.ts"
import { say } from "../screen/state.ts"
import type { Outcome } from "./outcome.ts"
import { run } from "./request.ts"
import type { CommandId, InputOf, ResultOf } from "./shapes.ts"

/** What is said when a policy makes a request of a change. */
export const heldNote = "A policy asks another person to approve this first. The request is under Review."

/** Runs a command that changes something and says `done`, or what went wrong. */
export const act = async <Id extends CommandId>(
  id: Id,
  input: InputOf<Id>,
  done: string
): Promise<Outcome<ResultOf<Id>>> => {
  const outcome = await run(id, input, { key: newId() })
  if (!outcome.ok) say(`Not done. ${outcome.problem.message}`, "problem")
  else if (outcome.held === "") say(done)
  else say(heldNote)
  void poll()
  return outcome
}
