/** Decoding one lead of a posted list. */
import type * as Result from "effect/Result"
import type { InvalidInput, UnknownField } from "../kernel/failure/failures.ts"
import { decoder } from "../kernel/schema/Decode.ts"
import { LeadUpsertInput } from "./LeadInput.ts"

/** Field names by their camelCase spelling. */
const spellings = new Map(
  Object.keys(LeadUpsertInput.fields).map((name) => [
    name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    name
  ])
)

const decode = decoder(LeadUpsertInput)

/**
 * Decodes the fields of lead.upsert, in snake_case or camelCase; snake_case wins when both are given. Fails with
 * INVALID_INPUT or UNKNOWN_FIELD.
 */
export const readLeadItem = (item: unknown): Result.Result<LeadUpsertInput, InvalidInput | UnknownField> => {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return decode(item)
  const renamed = Object.entries(item).map(([name, value]): [string, unknown] => [spellings.get(name) ?? name, value])
  return decode({ ...Object.fromEntries(renamed), ...onlySnakeCase(item) })
}

const onlySnakeCase = (item: object): object =>
  Object.fromEntries(Object.entries(item).filter(([name]) => spellings.get(name) === undefined))
