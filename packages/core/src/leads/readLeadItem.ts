/** Leads as they are posted in lists: each item on its own, in either spelling. Source: G21; contract 7. */
import * as Result from "effect/Result"
import { decoder } from "../Decode.ts"
import type { Failure } from "../Failure.ts"
import { LeadUpsertInput } from "./LeadInput.ts"
import { readPlainItem } from "./readPlainItem.ts"

/** Field names by their camelCase spelling. */
const spellings = new Map(
  Object.keys(LeadUpsertInput.fields).map((name) => [
    name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    name
  ])
)

const decode = decoder(LeadUpsertInput)

/**
 * Reads one item. Its fields are those of lead.upsert in snake_case or camelCase; of a field in both spellings the
 * snake_case one counts. Fails with INVALID_INPUT or UNKNOWN_FIELD.
 */
export const readLeadItem = (item: unknown): Result.Result<LeadUpsertInput, Failure> => {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return decode(item)
  const plain = readPlainItem(item)
  if (plain !== undefined) return Result.succeed(plain)
  const renamed = Object.entries(item).map(([name, value]): [string, unknown] => [spellings.get(name) ?? name, value])
  return decode({ ...Object.fromEntries(renamed), ...onlySnakeCase(item) })
}

const onlySnakeCase = (item: object): object =>
  Object.fromEntries(Object.entries(item).filter(([name]) => spellings.get(name) === undefined))
