/** The input of a command as a person reads it: a line for each field. Pure. */

const labelOf = (name: string): string => {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const isPlain = (value: unknown): value is string | number | boolean =>
  ["string", "number", "boolean"].includes(typeof value)

const valueOf = (value: unknown): string => {
  if (value === null) return "none"
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (isPlain(value)) return String(value)
  if (Array.isArray(value) && value.every(isPlain)) return value.map(valueOf).join(", ")
  return JSON.stringify(value, null, 2)
}

/** See above; texts of several lines begin on a line of their own. */
export const inputText = (input: object): string =>
  Object.entries(input)
    .map(([name, value]) => {
      const text = valueOf(value)
      return `${labelOf(name)}:${text.includes("\n") ? "\n" : " "}${text}`
    })
    .join("\n")
