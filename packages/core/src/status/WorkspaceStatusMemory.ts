/** Counting what a workspace holds, in the in-memory store. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { agents } from "../agents/AgentTables.ts"
import { shownState } from "../imports/ImportRun.ts"
import { imports } from "../imports/ImportTables.ts"
import { leads } from "../leads/LeadTables.ts"
import { accounts, drafts, queueItems } from "../linkedin/LinkedInTables.ts"
import { MemoryStore, type Tables } from "../MemoryStore.ts"
import { missions } from "../missions/MissionTables.ts"
import { offers } from "../offers/OffersMemory.ts"
import { organizationOf } from "../workspace/WorkspacesMemory.ts"
import { type CountKind, type StatusCount, WorkspaceStatusRepo } from "./WorkspaceStatusRepo.ts"

const tally = (kind: CountKind, states: ReadonlyArray<string>): ReadonlyArray<StatusCount> => {
  const numbers = new Map<string, number>()
  for (const state of states) numbers.set(state, (numbers.get(state) ?? 0) + 1)
  return [...numbers].map(([state, count]) => ({ kind, state, count }))
}

const isLive = (tables: Tables, org: string, agentId: string): boolean =>
  tables.get(agents, org, agentId)?.deletedAt === null

const countAll = (
  tables: Tables,
  org: string,
  { gateway, staleBefore }: { readonly staleBefore: string; readonly gateway: string }
): ReadonlyArray<StatusCount> => [
  ...tally(
    "offers",
    tables.all(offers, org).map(({ isDraft }) => (isDraft ? "draft" : "ready"))
  ),
  ...tally(
    "leads",
    tables.all(leads, org).flatMap(({ mergedInto, status }) => (mergedInto === null ? [status] : []))
  ),
  ...tally(
    "missions",
    tables.all(missions, org).map(({ status }) => status)
  ),
  ...tally(
    "agents",
    tables.all(agents, org).flatMap(({ deletedAt }) => (deletedAt === null ? ["live"] : []))
  ),
  ...tally(
    "drafts",
    tables.all(drafts, org).map(({ status }) => status)
  ),
  ...tally(
    "queue",
    tables.all(queueItems, org).map(({ state }) => state)
  ),
  ...tally(
    "imports",
    tables.all(imports, org).map((run) => shownState(run, staleBefore))
  ),
  ...tally(
    "accounts",
    tables
      .all(accounts, org)
      .filter((account) => account.gateway === gateway && isLive(tables, org, account.agentId))
      .map(({ status }) => status)
  )
]

/** Counts in memory. */
export const layer: Layer.Layer<WorkspaceStatusRepo, never, MemoryStore> = Layer.effect(
  WorkspaceStatusRepo,
  Effect.map(MemoryStore, (store) =>
    WorkspaceStatusRepo.of({
      count: (organizationId, question) =>
        store.read((tables) => ({
          organizationName: organizationOf(tables, organizationId)?.name,
          counts: countAll(tables, organizationId, question)
        }))
    })
  )
)
