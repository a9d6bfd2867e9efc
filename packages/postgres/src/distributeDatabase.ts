/**
 * Spreads a database over the nodes of a Citus cluster, by organization: `svc db distribute`.
 *
 * Tables of organizations are distributed by `organization_id`, all in one way, so that an organization is on one node.
 * What has no organization, or names it, is on every node; the deployment's own tables stay on the coordinator.
 */
import { type Failure, WrongState } from "@svc/core"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { quoted, schemaOf } from "./inSchema.ts"
import { requireCurrent } from "./Migrator.ts"
import { liftTimeouts, withoutForeignKeys } from "./moveDatabase.ts"
import { withoutDeadline } from "./PoolLimits.ts"
import { orUnavailable } from "./SqlFailure.ts"

/** Tables that every node has a copy of: their names are unique over all organizations, and they change seldom. */
const references = ["organizations", "organization_lookups"]

/** Where a table is. */
type Place = "distributed" | "reference" | "local"

interface DistributedTable {
  readonly table: string
  readonly place: Place
  readonly changed: boolean
}

/** Where the tables are, and which of them and of the functions were changed. */
export interface Distribution {
  readonly nodes: number
  readonly tables: ReadonlyArray<DistributedTable>
  readonly functions: ReadonlyArray<string>
}

const requireCitus = Effect.fnUntraced(function* (sql: SqlClient) {
  const [found] = yield* sql`select from pg_extension where extname = 'citus'`
  if (found === undefined) {
    return yield* new WrongState({
      message:
        "The database has no Citus extension. On a coordinator of Citus 13 or newer run create extension citus; and citus_add_node " +
        "for each worker, or stay on one server."
    })
  }
  const [cluster] = yield* sql<{ workers: number; isCoordinator: boolean }>`
    select (select count(*)::int from pg_dist_node where isactive and noderole = 'primary' and shouldhaveshards) as workers,
      citus_is_coordinator() as "isCoordinator"`
  if (cluster?.isCoordinator === true && cluster.workers > 0) return cluster.workers
  return yield* new WrongState({
    message:
      "No node of this cluster may have shards, or this is not its coordinator. Add workers with citus_add_node there."
  })
})

interface Table {
  readonly name: string
  readonly isTenants: boolean
  readonly isPlaced: boolean
}

const distributeTables = Effect.fnUntraced(function* (sql: SqlClient) {
  const tables = yield* sql<Table>`
    select c.relname as name, p.logicalrelid is not null as "isPlaced",
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id') as "isTenants"
    from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
    where c.relnamespace = to_regnamespace(quote_ident(${schemaOf(sql)})) and c.relkind = 'r' order by c.relname`
  const placeOf = ({ isTenants, name }: Table): Place =>
    references.includes(name) ? "reference" : isTenants ? "distributed" : "local"
  const path = (name: string) => `${quoted(schemaOf(sql))}.${quoted(name)}`
  let beside = tables.find((table) => table.isPlaced && placeOf(table) === "distributed")?.name
  const place = Effect.fnUntraced(function* (table: Table) {
    const { isPlaced, name } = table
    if (!isPlaced && placeOf(table) === "reference") yield* sql`select create_reference_table(${path(name)}::regclass)`
    if (!isPlaced && placeOf(table) === "distributed") {
      const colocated = beside === undefined ? "none" : path(beside)
      yield* sql`select create_distributed_table(${path(name)}::regclass, 'organization_id', colocate_with => ${colocated})`
      beside ??= name
    }
    const changed = !isPlaced && placeOf(table) !== "local"
    return { table: name, place: placeOf(table), changed }
  })
  if (tables.every((table) => table.isPlaced || placeOf(table) === "local")) return yield* Effect.forEach(tables, place)
  return yield* withoutForeignKeys(sql, Effect.forEach(tables, place))
})

/**
 * A plan without its parameters tells no shard, so functions plan with them here. Those that shards call are copied to every
 * node; reads of an organization run as a whole where it is.
 */
const distributeFunctions = Effect.fnUntraced(function* (sql: SqlClient) {
  const functions = yield* sql<{ signature: string; isGeneric: boolean; isCopied: boolean; isRead: boolean }>`
    select f.signature, f."isGeneric", f."isRead", case when f."isRead" then o.distribution_argument_index is not null
      when f.kind = 'i' then o.objid is not null else true end as "isCopied"
    from (
      select p.tableoid as catalog, p.oid, p.oid::regprocedure::text as signature, p.provolatile as kind,
        coalesce(array_to_string(p.proconfig, ',') ~ 'plan_cache_mode', false) as "isGeneric",
        p.provolatile = 's' and coalesce(p.proargnames[1] = 'p_organization', false) as "isRead"
      from pg_proc p
      where p.pronamespace = to_regnamespace(quote_ident(${schemaOf(sql)})) and p.prokind = 'f'
    ) f
    left join pg_dist_object o on o.classid = f.catalog and o.objid = f.oid
    order by f.signature`
  const changed = functions.filter(({ isCopied, isGeneric }) => isGeneric || !isCopied)
  for (const { isCopied, isGeneric, isRead, signature } of changed) {
    if (isGeneric) yield* sql.unsafe(`alter function ${signature} reset plan_cache_mode`)
    if (isCopied) continue
    yield* isRead
      ? sql`select create_distributed_function(${signature}::regprocedure, 'p_organization',
          ${`${quoted(schemaOf(sql))}.leads`})`
      : sql`select create_distributed_function(${signature}::regprocedure)`
  }
  return changed.map(({ signature }) => signature)
})

/**
 * Distributes what is not distributed yet; running it again changes nothing. Fails with WRONG_STATE without Citus or outside
 * of its coordinator, and with UNAVAILABLE on an outdated schema. Stop all processes first: tables are locked, and the plans
 * of functions that connections keep are those of one server.
 */
export const distributeDatabase = (sql: SqlClient): Effect.Effect<Distribution, Failure, SqlClient> =>
  Effect.andThen(
    requireCurrent(),
    sql.withTransaction(
      Effect.gen(function* () {
        const nodes = yield* requireCitus(sql)
        yield* liftTimeouts(sql)
        // Keys between copied and distributed tables are checked on one connection for each node.
        yield* sql`select set_config('citus.multi_shard_modify_mode', 'sequential', true)`
        const tables = yield* distributeTables(sql)
        return { nodes, tables, functions: yield* distributeFunctions(sql) }
      })
    )
  ).pipe(orUnavailable, withoutDeadline)
