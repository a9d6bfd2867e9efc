/** What may differ between two runs of the same steps, replaced by what it is. */

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const day = /\b20\d\d-\d\d-\d\d\b/g
const simulated = /\b(sim-|urn:sim:[a-z]+:)[0-9a-f]{20}\b/g

const secret = /^((\/review#link=)?svc_(live|link)_[A-Za-z0-9_]+|whsec_[A-Za-z0-9+/=]+)$/

const text = (value: string): string => {
  if (instant.test(value)) return "<instant>"
  return secret.test(value) ? "<secret>" : value.replaceAll(simulated, "$1<id>").replaceAll(day, "<day>")
}

/** The value with every command_hash replaced. */
export const withoutHash = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, item) => (key === "command_hash" ? "<hash>" : item))

/** The value with instants, days, cursors, keys, secrets and the simulated provider's ids replaced. */
export const withPlaceholders = (value: unknown, name = ""): unknown => {
  // Ids of keys are made by chance, and a host program has none.
  if (name === "key_id") return "<key id>"
  if (typeof value === "string") return name === "next_cursor" ? "<cursor>" : text(value)
  if (Array.isArray(value)) return value.map((item) => withPlaceholders(item))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withPlaceholders(item, key)]))
}
