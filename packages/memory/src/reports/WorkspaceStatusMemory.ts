/** Counts the records of a workspace in the in-memory store. */

import type { AgentId, InstantText } from "@svc/core"
import { shownState } from "@svc/core/imports"
import { type CountKind, type StatusCount, WorkspaceStatusRepo } from "@svc/core/reports"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { agents } from "../agents/AgentsMemory.ts"
import { imports } from "../imports/ImportTables.ts"
import { leads } from "../leads/LeadTables.ts"
import { MemoryStore, type Tables } from "../MemoryStore.ts"
import { missions } from "../missions/MissionTables.ts"
import { offers } from "../offers/OffersMemory.ts"
import { accounts, drafts, messagesIn } from "../outreach/LinkedInTables.ts"
import { organizationOf } from "../workspace/WorkspacesMemory.ts"

const tally = (kind: CountKind, states: ReadonlyArray<string>): ReadonlyArray<StatusCount> => {
  const groups = Arr.groupBy(states, (state) => state)
  return Object.entries(groups).map(([state, { length }]) => ({ kind, state, count: length }))
}

const isLive = (tables: Tables, org: string, agentId: AgentId): boolean =>
  tables.get(agents, org, agentId)?.deletedAt === null

const countAll = (
  tables: Tables,
  org: string,
  { gateway, staleBefore }: { readonly staleBefore: InstantText; readonly gateway: string }
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
    messagesIn(tables, org).map(({ state }) => state)
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

/** Counts the records of a workspace in memory. */
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
