/** The first steps in a workspace: a sender persona, its LinkedIn account, and a mission. */
import type { Failure } from "@svc/core"
import * as Effect from "effect/Effect"
import { callCommand } from "./callCommand.ts"
import { dataOf, objectsOf, type Target } from "./Target.ts"

/** How a person is asked, and told. */
interface Conversation<E, R> {
  readonly ask: (question: string, usual?: string) => Effect.Effect<string, E, R>
  readonly tell: (text: string) => Effect.Effect<void>
}

/**
 * Creates what is missing, after asking for it, and says what exists already. Returns the handle of the mission. Fails as
 * the commands do; what was created before stays, so that the next run continues there.
 */
export const guidedSetup = Effect.fnUntraced(function* <E, R>(
  target: Target,
  { ask, tell }: Conversation<E, R>
): Effect.fn.Return<string, E | Failure, R> {
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
