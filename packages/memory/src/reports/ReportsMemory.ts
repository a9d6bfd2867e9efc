/** Reports from the in-memory store. */

import type { AgentId, InstantText, OrganizationId } from "@svc/core"
import { shownState } from "@svc/core/imports"
import type { Transmission } from "@svc/core/outreach"
import {
  type BacklogCount,
  type BacklogQueue,
  backlogStates,
  type CountKind,
  ReportsRepo,
  type StatusCount
} from "@svc/core/reports"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { agents } from "../agents/AgentsMemory.ts"
import { imports } from "../imports/ImportTables.ts"
import { leads } from "../leads/LeadTables.ts"
import { MemoryStore, type Tables } from "../MemoryStore.ts"
import { missions } from "../missions/MissionTables.ts"
import { offers } from "../offers/OffersMemory.ts"
import { accounts, drafts, messagesIn, transmissions } from "../outreach/LinkedInTables.ts"
import { deliveries } from "../webhooks/WebhooksMemory.ts"
import { allOrganizations, organizationOf } from "../workspace/WorkspacesMemory.ts"
import { missionActivity } from "./MissionReportMemory.ts"
import { nextActions } from "./NextActionsMemory.ts"

const statesOfKind = (
  tables: Tables,
  organizationId: OrganizationId,
  kind: Transmission["kind"]
): ReadonlyArray<string> =>
  tables.all(transmissions, organizationId).flatMap((row) => (row.kind === kind ? [row.state] : []))

const statesOf = (
  tables: Tables,
  organizationId: OrganizationId
): Readonly<Record<BacklogQueue, ReadonlyArray<string>>> => ({
  linkedin: statesOfKind(tables, organizationId, "message"),
  email: statesOfKind(tables, organizationId, "email"),
  webhook: tables.all(deliveries, organizationId).map(({ state }) => state),
  import: tables.all(imports, organizationId).map(({ state }) => state)
})

const queues: ReadonlyArray<BacklogQueue> = ["linkedin", "email", "webhook", "import"]

const count = (tables: Tables): ReadonlyArray<BacklogCount> => {
  const found = allOrganizations(tables).map(({ id }) => statesOf(tables, id))
  return queues.flatMap((queue) =>
    backlogStates[queue].map((state) => ({
      queue,
      state,
      count: found.reduce((sum, of) => sum + of[queue].filter((one) => one === state).length, 0)
    }))
  )
}

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

/** Reads reports from memory. */
export const layer: Layer.Layer<ReportsRepo, never, MemoryStore> = Layer.effect(
  ReportsRepo,
  Effect.map(MemoryStore, (store) =>
    ReportsRepo.of({
      missionActivity: (...asked) => store.read((tables) => missionActivity(tables, ...asked)),
      nextActions: (...asked) => store.read((tables) => nextActions(tables, ...asked)),
      status: (organizationId, question) =>
        store.read((tables) => ({
          organizationName: organizationOf(tables, organizationId)?.name,
          counts: countAll(tables, organizationId, question)
        })),
      backlog: store.read((tables) => ({
        waiting: count(tables).filter((one) => one.count > 0),
        connections: []
      }))
    })
  )
)
