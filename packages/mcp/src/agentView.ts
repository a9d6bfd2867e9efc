/**
 * The view of data that models read: nothing that only programs need.
 *
 * | omitted | because |
 * |---|---|
 * | null, empty texts, empty lists and objects below the first level | absent says the same |
 * | the second spelling of a field: `linkedinUrl` beside `linkedin_url` | every name is written as inputs write it |
 * | ids of the organization and of users, pictures, and ids beside a handle | no tool takes them, or takes the handle |
 * | `id` of an object whose parent has it as `lead_id` | it is there already |
 *
 * Nothing else changes. The `full` profile returns the exact shapes of the HTTP API.
 */
import * as Predicate from "effect/Predicate"
import type { Params } from "./JsonRpc.ts"

/** Fields whose names and values are the customer's own. */
const freeForm = new Set(["metadata", "mapping", "columns"])

/** Fields that no tool takes and nobody reads. */
const noise = new Set([
  "organization_id",
  "avatar_url",
  "company_logo_url",
  "created_by_user_id",
  "approved_by_user_id",
  "linkedin_profile_enriched",
  "generated_at"
])

/** Ids that are omitted beside a handle. */
const idsBesideHandle = new Set(["agent_id", "mission_id"])

const isCamelCase = /^[a-z]+[0-9]*(?:[A-Z][a-z0-9]*)+$/

/** The name as inputs write it. */
export const snakeCase = (name: string): string =>
  isCamelCase.test(name) ? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (Predicate.isReadonlyObject(value) && Object.keys(value).length === 0)

const viewOf = (value: unknown, depth: number): unknown => {
  if (Array.isArray(value)) return value.map((item) => viewOf(item, depth + 1))
  return Predicate.isReadonlyObject(value) ? viewOfObject(value, depth) : value
}

const withoutRepeated = (view: Params): Params =>
  Object.fromEntries(
    Object.entries(view).map(([name, value]) => {
      if (!Predicate.isReadonlyObject(value) || value["id"] === undefined) return [name, value]
      const { id, ...rest } = value
      return [name, view[`${name}_id`] === id ? rest : value]
    })
  )

const viewOfObject = (value: Params, depth: number): Params => {
  const view: Record<string, unknown> = {}
  for (const [given, item] of Object.entries(value)) {
    const name = snakeCase(given)
    if (name !== given && Object.hasOwn(value, name)) continue
    if (noise.has(name) || (idsBesideHandle.has(name) && Predicate.isString(value["handle"]))) continue
    const inner = freeForm.has(name) ? item : viewOf(item, depth + 1)
    if (!isEmpty(inner) || (depth === 0 && typeof inner === "object" && inner !== null)) view[name] = inner
  }
  if (view["title"] !== undefined && view["title"] === view["job_title"]) delete view["title"]
  if (view["timestamp"] !== undefined && view["timestamp"] === view["date"]) delete view["timestamp"]
  return withoutRepeated(view)
}

/** The view of an output. */
export const agentView = (data: unknown): unknown => viewOf(data, 0)
