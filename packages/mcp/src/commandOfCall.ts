import * as Predicate from "effect/Predicate"
import { readMessage } from "./JsonRpc.ts"
import { commandIdOf } from "./toolName.ts"

/** The id of the command that a message calls, as a tool or through `command_run`; undefined for other messages. */
export const commandOfCall = (body: unknown): string | undefined => {
  const message = readMessage(body)
  if (message._tag !== "Request" || message.method !== "tools/call") return undefined
  const { arguments: args, name } = message.params
  const asked = name === "command_run" && Predicate.isReadonlyObject(args) ? args["command_id"] : name
  return typeof asked === "string" ? commandIdOf(asked) : undefined
}
