/** `svc init`: asks for what a new workspace needs. */
import { InvalidInput } from "@svc/core"
import * as Command from "effect/cli/Command"
import * as Prompt from "effect/cli/Prompt"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { targetInCliTerms } from "../cliTerms.ts"
import { findTarget } from "../findTarget.ts"
import { guidedSetup } from "../guidedSetup.ts"
import { CliExit, isInteractive, note, orRefuse } from "../Output.ts"
import { logIn } from "./auth.ts"
import { baseUrl } from "./flags.ts"
import { printReply } from "./printReply.ts"

const ask = (message: string, usual?: string) =>
  Prompt.run(
    Prompt.String({
      message,
      ...(usual === undefined ? {} : { default: usual }),
      validate: (value) => (value.trim() === "" ? Effect.fail("Required") : Effect.succeed(value.trim()))
    })
  ).pipe(Effect.mapError(() => new CliExit({ exitCode: 130 })))

/** The service to set up; without a key, after logging in. */
const reach = Effect.fnUntraced(function* (url: string | undefined) {
  const found = yield* findTarget(process.env, url)
  if (found.key !== undefined) return found
  yield* logIn(url, "default", false)
  return yield* findTarget(process.env, url)
})

/** `svc init`. */
export const init = Command.make("init", { baseUrl }, ({ baseUrl: url }) =>
  orRefuse(
    false,
    Effect.scoped(
      Effect.gen(function* () {
        if (!isInteractive(false)) {
          return yield* new InvalidInput({
            message:
              "svc init asks questions on a terminal. Elsewhere use svc login, svc agent create and svc mission create."
          })
        }
        const target = targetInCliTerms(yield* reach(Option.getOrUndefined(url)))
        const me = yield* target.send({ method: "GET", path: "/api/v1/me" })
        if (me.status >= 400) return yield* printReply(me, false)
        const mission = yield* guidedSetup(target, { ask, tell: (text) => note(`svc: ${text}`) })
        yield* note(
          `svc: Ready. Import people with svc import csv people.csv --mission ${mission}, describe your offer with ` +
            "svc offer create, and review drafts with svc drafts review."
        )
      })
    )
  )
).pipe(
  Command.withDescription("Set up a workspace step by step: log in, agent, LinkedIn account, first mission"),
  Command.withShortDescription("Set up a workspace step by step"),
  Command.withExamples([{ command: "svc init", description: "Asks for what is missing" }])
)
