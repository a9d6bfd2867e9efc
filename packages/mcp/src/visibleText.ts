/** Text by strangers, before a model reads it: see `visibleText` of the core. */
import { visibleText } from "@svc/core"

export { visibleText }

/** A JSON value with {@link visibleText} for every string and name. */
export const visible = (value: unknown): unknown => {
  if (typeof value === "string") return visibleText(value)
  if (Array.isArray(value)) return value.map(visible)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [visibleText(name), visible(item)]))
}
