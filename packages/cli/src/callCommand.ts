/** A command whose output the command line itself reads. */
import { type Failure, Relayed } from "@svc/core"
import * as Effect from "effect/Effect"
import { commandRequest } from "./commandRequest.ts"
import { isCode } from "./Output.ts"
import { dataOf, type Target } from "./Target.ts"

/** Runs a command and returns its output. Fails with the code of its error. */
export const callCommand = Effect.fnUntraced(function* (
  target: Target,
  id: string,
  input: object
): Effect.fn.Return<Readonly<Record<string, unknown>>, Failure> {
  const reply = yield* target.send(commandRequest(id, JSON.stringify(input)))
  if (reply.status < 400) return dataOf(reply)
  const { code, message } = Object(Object(reply.body).error)
  return yield* new Relayed(isCode(String(code)) ? code : "INTERNAL", { message: String(message) })
})
