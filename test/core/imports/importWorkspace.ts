/** A workspace in memory for import tests: every command, an agent, a mission, and a gateway whose searches are scripted. */
import * as AgentDeparture from "@svc/core/agents/AgentDeparture"
import * as AgentsMemory from "@svc/core/agents/AgentsMemory"
import { commands as agentCommands } from "@svc/core/agents/index"
import * as Catalog from "@svc/core/Catalog"
import { Dispatch, layer as dispatchLayer } from "@svc/core/Dispatch"
import { type Failure, fail } from "@svc/core/Failure"
import { layerSequential } from "@svc/core/Ids"
import * as ImportRunner from "@svc/core/imports/ImportRunner"
import * as ImportsMemory from "@svc/core/imports/ImportsMemory"
import { commands as importCommands, restCommands } from "@svc/core/imports/index"
import * as JournalMemory from "@svc/core/JournalMemory"
import { commands as leadCommands } from "@svc/core/leads/index"
import * as LeadConsequences from "@svc/core/leads/LeadConsequences"
import * as LeadsMemory from "@svc/core/leads/LeadsMemory"
import * as AccountsMemory from "@svc/core/linkedin/AccountsMemory"
import { LinkedInGateway, type PeoplePage } from "@svc/core/linkedin/LinkedInGateway"
import * as QueueMemory from "@svc/core/linkedin/QueueMemory"
import { MemoryStore, layer as storeLayer } from "@svc/core/MemoryStore"
import { commands as missionCommands } from "@svc/core/missions/index"
import * as MissionArchival from "@svc/core/missions/MissionArchival"
import * as MissionsMemory from "@svc/core/missions/MissionsMemory"
import * as OffersMemory from "@svc/core/offers/OffersMemory"
import { layerSecretRandom } from "@svc/core/Page"
import * as SimulatedGateway from "@svc/core/simulator/SimulatedGateway"
import * as WorkspacesMemory from "@svc/core/workspace/WorkspacesMemory"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { owner } from "../../support/memory.ts"

/** What the gateway does before it answers a page: nothing, or what is scripted for the page's number (from 0). */
export type SearchScript = (page: number) => Effect.Effect<void, Failure>

/** Changes and watches the scripted gateway. */
export class Provider extends Context.Service<
  Provider,
  {
    readonly script: (script: SearchScript) => Effect.Effect<void>
    /** The searches asked for since the last script, in order. */
    readonly asked: Effect.Effect<ReadonlyArray<{ readonly url: string; readonly cursor: string | null }>>
  }
>()("@svc/test/Provider") {}

const scripted = Layer.effectContext(
  Effect.gen(function* () {
    const simulated = yield* LinkedInGateway
    let script: SearchScript = () => Effect.void
    let asked: ReadonlyArray<{ readonly url: string; readonly cursor: string | null }> = []
    const gateway = LinkedInGateway.of({
      ...simulated,
      searchPeople: (account, search): Effect.Effect<PeoplePage, Failure> =>
        Effect.suspend(() => {
          const page = asked.length
          asked = [...asked, { url: search.url, cursor: search.cursor }]
          return Effect.andThen(script(page), simulated.searchPeople(account, search))
        })
    })
    const provider = Provider.of({
      script: (next) =>
        Effect.sync(() => {
          script = next
          asked = []
        }),
      asked: Effect.sync(() => asked)
    })
    return Context.make(LinkedInGateway, gateway).pipe(Context.add(Provider, provider))
  })
).pipe(Layer.provide(SimulatedGateway.layer({ acceptSeconds: 30 })))

/** What a workspace keeps, and its gateway. */
export const repositories = Layer.mergeAll(
  JournalMemory.layer,
  OffersMemory.layer,
  AgentsMemory.layer,
  AgentDeparture.layerNone,
  MissionsMemory.layer,
  MissionArchival.layerNone,
  LeadsMemory.layer,
  LeadConsequences.layerNone,
  AccountsMemory.layer,
  QueueMemory.layer,
  ImportsMemory.layer,
  WorkspacesMemory.layer,
  scripted,
  layerSequential,
  layerSecretRandom
).pipe(Layer.provideMerge(storeLayer))

const catalog = Catalog.make([
  ...agentCommands,
  ...missionCommands,
  ...leadCommands,
  ...importCommands,
  ...restCommands
])

/** The running service over {@link repositories}: what ends when the service stops. */
export const service = dispatchLayer(catalog).pipe(Layer.provide(ImportRunner.layer))

/** The workspace, empty. */
export const importWorkspace = Layer.provideMerge(service, repositories)

/** Runs a command as the owner of an organization and answers the envelope. */
export const run = (command: string, input: unknown, extra: Partial<Parameters<Dispatch["Service"]["run"]>[0]> = {}) =>
  Effect.map(
    Effect.flatMap(Dispatch, (dispatch) => dispatch.run({ command, input, actor: owner(), ...extra })),
    (answer) => answer.envelope
  )

/** As {@link run}, for what must succeed: answers the data. */
export const succeed = (
  command: string,
  input: unknown,
  extra = {}
): Effect.Effect<Record<string, unknown>, never, Dispatch> =>
  Effect.flatMap(run(command, input, extra), (envelope) =>
    envelope.ok ? Effect.succeed({ ...Object(envelope.data) }) : Effect.die(new Error(JSON.stringify(envelope.error)))
  )

/** As {@link run}, for what must be refused: answers `CODE message`. */
export const refused = (command: string, input: unknown, extra = {}): Effect.Effect<string, never, Dispatch> =>
  Effect.map(run(command, input, extra), (envelope) =>
    envelope.ok ? `ok ${JSON.stringify(envelope.data)}` : `${envelope.error.code} ${envelope.error.message}`
  )

/** Makes the agent `ada-martin` and the mission `spring-outreach`. */
export const seeded = Effect.gen(function* () {
  yield* succeed("agent.create", { first_name: "Ada", last_name: "Martin" })
  yield* succeed("mission.create", { name: "Spring outreach", agent_handle: "ada-martin" })
})

/** The types of the stored events, in order, that start with `prefix`. */
export const eventTypes = (prefix: string) =>
  Effect.flatMap(MemoryStore, (store) =>
    store.read((tables) =>
      [...tables.all(JournalMemory.events, "org_a")]
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ type }) => type)
        .filter((type) => type.startsWith(prefix))
    )
  )

/** A gateway failure that trying again may mend. */
export const gatewayDown = fail("GATEWAY_ERROR", "The provider failed (503). Try again later.")

/** A people search with these keywords. */
export const searchUrl = (keywords: string): string =>
  `https://www.linkedin.com/sales/search/people?query=(keywords%3A${encodeURIComponent(keywords)})`
