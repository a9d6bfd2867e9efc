/** `svc init`: asks for what a new workspace needs. */
import { InvalidInput } from "@svc/core"
import * as Command from "effect/cli/Command"
import * as Prompt from "effect/cli/Prompt"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { callCommand } from "../callCommand.ts"
import { targetInCliTerms } from "../cliTerms.ts"
import { findTarget } from "../findTarget.ts"
import { CliExit, isInteractive, note, orRefuse } from "../Output.ts"
import { dataOf, objectsOf, type Target } from "../Target.ts"
import { logIn } from "./auth.ts"
import { baseUrl } from "./flags.ts"
import { printReply } from "./runCommand.ts"

/** How a person is asked, and told. */
interface Conversation<E, R> {
  readonly ask: (question: string, usual?: string) => Effect.Effect<string, E, R>
  readonly tell: (text: string) => Effect.Effect<void>
}

/**
 * Creates what is missing, after asking for it, and says what exists already. Returns the handle of the mission. Fails as
 * the commands do; what was created before stays, so that the next run continues there.
 */
export const guidedSetup = Effect.fnUntraced(function* <E, R>(target: Target, { ask, tell }: Conversation<E, R>) {
  const [known] = objectsOf((yield* callCommand(target, "agent.list", { limit: 1 }))["agents"])
  let agent = String(known?.["handle"])
  if (known === undefined) {
    const first_name = yield* ask("First name of the person who writes the messages")
    const last_name = yield* ask("Last name")
    const timezone = yield* ask("Time zone of the working hours", Intl.DateTimeFormat().resolvedOptions().timeZone)
    const made = yield* callCommand(target, "agent.create", { first_name, last_name, timezone })
    agent = String(Object(made["agent"]).handle)
    yield* tell(`Created the agent ${agent}.`)
  } else yield* tell(`Using the agent ${agent}.`)

  const accounts = objectsOf((yield* callCommand(target, "linkedin.account.list", {}))["accounts"])
  if (accounts.some(({ agent_handle }) => agent_handle === agent)) yield* tell(`${agent} has a LinkedIn account.`)
  else {
    const linked = yield* callCommand(target, "linkedin.account.link", { agent_handle: agent })
    const url = Object.values(linked).find((value) => typeof value === "string" && /^https?:/.test(value))
    yield* tell(
      url === undefined
        ? `Linked the LinkedIn account of ${agent}.`
        : `Connect the LinkedIn account here: ${String(url)}`
    )
  }

  const missions = yield* target.send({ method: "GET", path: "/api/v1/missions?limit=1" })
  const [running] = objectsOf(dataOf(missions)["missions"])
  if (running !== undefined) {
    yield* tell(`Using the mission ${String(running["handle"])}.`)
    return String(running["handle"])
  }
  const name = yield* ask("Name of your first mission", "First mission")
  const description = yield* ask("Who are the people, and why do you write to them?")
  const channels = ["LINKEDIN"]
  yield* callCommand(target, "mission.create", { name, description, channels, agent_handle: agent })
  const made = yield* target.send({ method: "GET", path: "/api/v1/missions?limit=1" })
  const handle = String(objectsOf(dataOf(made)["missions"])[0]?.["handle"])
  yield* tell(`Created the mission ${handle}.`)
  return handle
})

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
