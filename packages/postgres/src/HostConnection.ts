/**
 * Connections that a host opened with `pg`, for statements of the service: values go out as text, and come back as from the
 * service's own connections, whatever parsers the host has set.
 */
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Connection } from "effect/sql/SqlConnection"
import {
  ConnectionError,
  DeadlockError,
  LockTimeoutError,
  SerializationError,
  SqlError,
  type SqlErrorReason,
  StatementTimeoutError,
  UniqueViolation,
  UnknownError
} from "effect/sql/SqlError"
import { parse as parseArray } from "postgres-array"
import type { HostClient, HostResult, HostStatement } from "./host/index.ts"
import type { ConnectionGuard } from "./PoolLimits.ts"
import { remembered } from "./remembered.ts"

const { OID } = PgTypes

const bytes = (text: string) => Uint8Array.from(Buffer.from(text.slice(2), "hex"))

/** `2026-11-23 10:00:00.5+05:30`; the offset may lack its minutes. */
const instant = (text: string) => new Date(text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00"))

const scalars = new Map<number, (text: string) => unknown>([
  [OID.bool, (text) => text === "t"],
  [OID.bytea, bytes],
  [OID.int2, Number],
  [OID.int4, Number],
  [OID.oid, Number],
  [OID.float4, Number],
  [OID.float8, Number],
  [OID.int8, BigInt],
  [OID.json, JSON.parse],
  [OID.jsonb, JSON.parse],
  [OID.timestamptz, instant]
])

const asText = (text: string): unknown => text

/** The parsers of the types that statements return; anything else stays text. */
const parsers = new Map(scalars)
for (const element of Object.values(OID)) {
  const array = PgTypes.arrayOidFor(element)
  if (array !== undefined) parsers.set(array, (text) => parseArray(text, scalars.get(element) ?? asText))
}

const types = { getTypeParser: (oid: number) => parsers.get(oid) ?? asText }

const typeNames = new Map<number, string>(Object.entries(OID).map(([name, oid]) => [oid, name.replace("Array", "[]")]))

const numberType = (value: number): string =>
  Number.isInteger(value) ? (Math.abs(value) < 2 ** 31 ? "int4" : "int8") : "float8"

/** The type that the service's own connections declare for a parameter; `pg` declares none. */
const typeOf = (value: unknown): string | undefined => {
  if (PgTypes.isParameter(value)) return typeNames.get(value.oid)
  switch (typeof value) {
    case "number":
      return numberType(value)
    case "bigint":
      return "int8"
    case "boolean":
      return "bool"
  }
  if (value instanceof Date) return "timestamptz"
  if (value instanceof Uint8Array) return "bytea"
  if (!Array.isArray(value)) return undefined
  const element = value.find((item) => item !== null)
  return element === undefined ? undefined : `${typeOf(element) ?? "text"}[]`
}

/** The statement with the types of its parameters. */
const typed = (text: string, params: ReadonlyArray<unknown>): string =>
  text.replaceAll(/\$(\d+)/g, (placeholder, number) => {
    const type = typeOf(params[Number(number) - 1])
    return type === undefined ? placeholder : `${placeholder}::${type}`
  })

/** A parameter as `pg` takes it. */
const valueOf = (given: unknown): unknown => {
  if (!PgTypes.isParameter(given)) return given instanceof Date ? given.toISOString() : given
  const { oid, value } = given
  return oid === OID.jsonb && value !== null ? JSON.stringify(value) : valueOf(value)
}

const reasons = new Map<string, new (facts: { cause: unknown; operation: string; message: string }) => SqlErrorReason>([
  ["40P01", DeadlockError],
  ["40001", SerializationError],
  ["55P03", LockTimeoutError],
  ["57014", StatementTimeoutError]
])

const reasonOf = (cause: unknown): SqlErrorReason => {
  const { code, constraint } = Object(cause) as { code?: unknown; constraint?: unknown }
  const facts = { cause, operation: "query", message: cause instanceof Error ? cause.message : "The query failed." }
  if (typeof code !== "string" || !/^[0-9A-Z]{5}$/.test(code) || code.startsWith("08"))
    return new ConnectionError(facts)
  if (code === "23505") return new UniqueViolation({ ...facts, constraint: String(constraint) })
  return new (reasons.get(code) ?? UnknownError)(facts)
}

/** A host's error as one of SQL. */
export const hostError = (cause: unknown): SqlError => new SqlError({ reason: reasonOf(cause) })

/** A connection over a host's client: one that was taken out of its pool, or one in a transaction of the host. */
export class HostConnection implements Connection {
  readonly client: HostClient
  readonly #guard: ConnectionGuard | undefined

  constructor(client: HostClient, guard?: ConnectionGuard) {
    this.client = client
    this.#guard = guard
  }

  /** A statement cannot be stopped, so whoever is interrupted waits for its end. */
  #query(text: string, params: ReadonlyArray<unknown>, rowMode?: "array"): Effect.Effect<HostResult, SqlError> {
    const statement: HostStatement =
      params.length === 0 && rowMode === undefined
        ? { text, types }
        : {
            text: typed(text, params),
            values: params.map(valueOf),
            types,
            ...(rowMode === undefined ? {} : { rowMode })
          }
    const answered = Effect.uninterruptible(
      Effect.tryPromise({
        try: async () => {
          const result = await this.client.query(statement)
          return (Array.isArray(result) ? result.at(-1) : result) as HostResult
        },
        catch: hostError
      })
    )
    return this.#guard?.run(answered) ?? answered
  }

  execute: Connection["execute"] = (text, params, transform) =>
    Effect.map(this.#query(text, params), ({ rows }) => transform?.(rows as Array<object>) ?? rows)

  executeUnprepared = this.execute

  executeRaw: Connection["executeRaw"] = (text, params) => this.#query(text, params)

  executeValues: Connection["executeValues"] = (text, params) =>
    Effect.map(this.#query(text, params, "array"), ({ rows }) => rows as Array<Array<unknown>>)

  executeValuesUnprepared = this.executeValues

  executeStream: Connection["executeStream"] = () => Stream.die(new Error("A host's connection streams no rows."))
}

const connections = new WeakMap<HostClient, HostConnection>()

/** The connection over a client, the same one for the same client. */
export const connectionOf = (client: HostClient): HostConnection =>
  remembered(connections, client, () => new HostConnection(client))
