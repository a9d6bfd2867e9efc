/** A workspace in memory for import tests: every command, an agent, a mission, and a gateway whose searches are scripted. */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Ids } from "#core/kernel/schema/IdsAndTime.ts"
import { GatewayError, type ProviderFailure } from "#core/outreach/failures.ts"
import { LinkedInGateway } from "#core/outreach/provider/LinkedInGateway.ts"
import * as JournalMemory from "#memory/JournalMemory.ts"
import { MemoryStore } from "#memory/MemoryStore.ts"
import { commands, ok, services } from "../../support/World.ts"

/** What the gateway does before it answers a page: nothing, or what is scripted for the page's number (from 0). */
export type SearchScript = (page: number) => Effect.Effect<void, ProviderFailure>

interface Search {
  readonly url: string
  readonly cursor: string | null
}

/** Changes and watches the scripted gateway. */
export class Provider extends Context.Service<
  Provider,
  {
    readonly script: (script: SearchScript) => Effect.Effect<void>
    /** The searches asked for since the last script, in order. */
    readonly asked: Effect.Effect<ReadonlyArray<Search>>
    readonly ask: (search: Search) => Effect.Effect<void, ProviderFailure>
  }
>()("@svc/test/Provider") {}

const provider = Layer.sync(Provider, () => {
  let script: SearchScript = () => Effect.void
  let asked: ReadonlyArray<Search> = []
  return Provider.of({
    script: (next) =>
      Effect.sync(() => {
        script = next
        asked = []
      }),
    asked: Effect.sync(() => asked),
    ask: ({ cursor, url }) =>
      Effect.suspend(() => {
        const page = asked.length
        asked = [...asked, { url, cursor }]
        return script(page)
      })
  })
})

const gateway = Layer.effect(
  LinkedInGateway,
  Effect.gen(function* () {
    const simulated = yield* LinkedInGateway
    const { ask } = yield* Provider
    return LinkedInGateway.of({
      ...simulated,
      searchPeople: (account, search) => Effect.andThen(ask(search), simulated.searchPeople(account, search))
    })
  })
)

/** What a workspace keeps, and its gateway. */
export const repositories = services({ backend: "memory", gateway, ids: Ids.layerSequential }).pipe(
  Layer.provideMerge(provider)
)

/** The workspace, empty. */
export const importWorkspace = Layer.provideMerge(commands, repositories)

/** Makes the agent `ada-martin` and the mission `spring-outreach`. */
export const seeded = Effect.gen(function* () {
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
  yield* ok("mission.create", { name: "Spring outreach", agent_handle: "ada-martin" })
})

/** The types of the stored events, in order, that start with `prefix`. */
export const eventTypes = (prefix: string) =>
  Effect.flatMap(MemoryStore, (store) =>
    store.read("org_a", (tables) =>
      [...tables.all(JournalMemory.events)]
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ type }) => type)
        .filter((type) => type.startsWith(prefix))
    )
  )

/** A gateway failure that trying again may mend. */
export const gatewayDown = new GatewayError({ message: "The provider failed (503). Retry later." })

/** A people search with these keywords. */
export const searchUrl = (keywords: string): string =>
  `https://www.linkedin.com/sales/search/people?query=(keywords%3A${encodeURIComponent(keywords)})`
