/** Names of fields as people read them. */

const words: ReadonlyMap<string, string> = new Map([
  ["id", "ID"],
  ["url", "URL"],
  ["cta", "CTA"],
  ["api", "API"],
  ["linkedin", "LinkedIn"],
  ["nav", "Navigator"]
])

/** `linkedin_url` and `linkedinUrl` as `LinkedIn URL`; `created_at` as `Created`. */
export const labelOf = (name: string): string => {
  const parts = name
    .replace(/([a-z])(At|Count|Date)$|_(at|count|date)$/, "$1")
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .split(/[_ -]+/)
    .map((part) => words.get(part.toLowerCase()) ?? (part === part.toUpperCase() ? part : part.toLowerCase()))
  const text = parts.join(" ")
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** The header of a column: of `lead.name` only LEAD, of `stats.replied` only REPLIED. */
export const headerOf = (column: string): string => {
  const parts = column.split(".")
  const last = parts.at(-1) ?? column
  const named = ["name", "handle", "kind"].includes(last) ? (parts.at(-2) ?? last) : last
  return labelOf(named).toUpperCase()
}

/** Whether it is an id, which people read last. That of a command is its name. */
export const isId = (column: string): boolean => column !== "command_id" && /(^|[._])id$|[a-z]Id$/.test(column)

/** Whether it names something, and has to stay readable. */
export const isName = (column: string): boolean => /(^|[._])(name|handle|url|title|type)$/.test(column)

/** Whether it holds a state. */
export const isState = (column: string): boolean => /(^|[._])(state|status|outcome|risk|severity)$/.test(column)

/** Whether it holds a time. */
export const isTime = (column: string): boolean =>
  /(^|[._])(at|date|since|until|after|expires|_at)$|_at$|At$|Date$|^last_interaction$/.test(column)
