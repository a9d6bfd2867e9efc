/** A whole service with what a test needs to look behind its surfaces: in memory, or on a database that is given. */

import { type CallerOf, createSvc } from "@svc/embed"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import type { Call, CommandResult } from "#core/kernel/command/Delegation.ts"
import { Dispatch } from "#core/kernel/command/Dispatch.ts"
import type { ActorIdentity } from "#core/kernel/command/Execution.ts"
import { scopes } from "#core/kernel/command/Permission.ts"
import { everywhere, MemoryStore, type State, table } from "#memory/MemoryStore.ts"
import { schemaOf } from "#postgres/inSchema.ts"
import { callOf } from "./rest.ts"

/** Options of {@link memoryService}. `callerOf` stands for keys, when a test wants to be somebody over HTTP. */
export interface MemoryServiceOptions {
  readonly databaseUrl?: string
  readonly sample?: boolean
  readonly callerOf?: CallerOf
}

/** A person with every right in an organization. */
export const ownerOf = (organizationId: string): ActorIdentity => ({
  organizationId,
  userId: "usr_owner",
  kind: "USER",
  mode: "full",
  scopes,
  keyId: null
})

/** What a SQL database holds of one organization: a digest of each table that has organizations, all in one statement. */
const digestOf = (sql: SqlClient, organizationId: string) =>
  Effect.gen(function* () {
    const tables = yield* sql<{ name: string }>`
      select table_name as name from information_schema.columns
      where table_schema = ${schemaOf(sql)} and column_name = 'organization_id' order by table_name`
    const digests = tables.map(
      ({ name }) => sql`
        select ${name}::text as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as digest
        from ${sql(`${schemaOf(sql)}.${name}`)} t where organization_id = ${organizationId}`
    )
    const rows = yield* sql<{ name: string; digest: string }>`${sql.join(" union all ", false)(digests)}`
    return rows.map(({ digest, name }) => [name, digest] as const)
  })

/** Writes every row as it was in another state. */
const putBack = (store: MemoryStore["Service"], now: State, then: State) =>
  store.write(everywhere, ({ of }) => {
    for (const slot of new Set([...HashMap.keys(now), ...HashMap.keys(then)])) {
      const [before, after] = [now, then].map((state) => Option.getOrUndefined(HashMap.get(state, slot)))
      if (before === after) continue
      const [name = "", partition = ""] = slot.split("/")
      for (const [key] of before ?? []) {
        if (after === undefined || !HashMap.has(after, key)) of(partition).remove(table(name), key)
      }
      for (const [key, row] of after ?? []) of(partition).set(table(name), key, row)
    }
  })

/** Starts a service: simulated gateway, no worker, no rate limit, sample data unless told otherwise. */
export const memoryService = async ({
  callerOf,
  databaseUrl = "memory:",
  sample = true
}: MemoryServiceOptions = {}) => {
  const svc = await createSvc({
    databaseUrl,
    gateway: "simulator",
    worker: false,
    rateLimit: 0,
    sample,
    ...(callerOf === undefined ? {} : { callerOf, defaultScopes: scopes })
  })
  const services = await svc.effect.runtime.context()
  const dispatch = Context.get(services, Dispatch)
  const store = Context.getOption(services, MemoryStore)
  const sql = Context.getOption(services, SqlClient)
  const state = (): State => Effect.runSync(Option.getOrThrow(store).published)
  return {
    svc,
    catalog: dispatch.catalog,
    /** Runs any command, internal ones included, and any REST endpoint by its name. */
    run: (call: Omit<Call, "actor"> & { readonly actor?: ActorIdentity }): Promise<CommandResult> =>
      svc.effect.runtime.runPromise(
        dispatch.run({ actor: ownerOf(svc.organization.id), ...call, ...callOf(call.command, call.input) })
      ),
    /** In memory only: the published state, the same value as long as nothing was written. */
    state,
    /** In memory only: writes every row as it was in another state. */
    putBack: (then: State): Promise<void> =>
      svc.effect.runtime.runPromise(Effect.orDie(putBack(Option.getOrThrow(store), state(), then))),
    /** What is stored of an organization, table by table: equal as long as nothing of it was written. */
    contents: async (organizationId: string): Promise<ReadonlyMap<string, unknown>> =>
      Option.isSome(sql)
        ? new Map(await svc.effect.runtime.runPromise(Effect.orDie(digestOf(sql.value, organizationId))))
        : new Map(Array.from(state()).filter(([slot]) => slot.endsWith(`/${organizationId}`))),
    close: svc.close
  }
}

/** The names of the tables, of whatever organization, in which two states differ. */
export const changedTables = (before: State, after: State): ReadonlyArray<string> => {
  const rowsOf = (state: State): ReadonlyMap<string, unknown> => new Map(Array.from(state))
  const [old, now] = [rowsOf(before), rowsOf(after)]
  const slots = [...new Set([...old.keys(), ...now.keys()])].filter((slot) => old.get(slot) !== now.get(slot))
  return [...new Set(slots.map((slot) => slot.split("/")[0] ?? ""))]
}

/** A running service of {@link memoryService}. */
export type MemoryService = Awaited<ReturnType<typeof memoryService>>
