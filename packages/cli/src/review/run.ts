/** Running commands of the service. */
import { type Failure, Relayed } from "@svc/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { runCommand } from "../commands/runCommand.ts"
import { isCode } from "../Output.ts"
import type { Reply, Target } from "../Target.ts"
import type { CommandCall } from "./ReviewState.ts"

const dataOrFail = (reply: Reply): Effect.Effect<Readonly<Record<string, unknown>>, Failure> => {
  const { data, error } = Object(reply.body)
  if (reply.status < 400 && data !== undefined) return Effect.succeed(data)
  const code = String(error?.code)
  return Effect.fail(
    new Relayed(isCode(code) ? code : "INTERNAL", {
      message: String(error?.message ?? `The service returned ${reply.status}.`)
    })
  )
}

/** Runs a command. Fails with the code of an error. */
export const run = (target: Target, { id, input }: CommandCall) =>
  Effect.flatMap(
    runCommand(target, id, JSON.stringify(input), {
      profile: Option.none(),
      dryRun: false,
      idempotencyKey: Option.none()
    }),
    dataOrFail
  )
