/** Scopes and event types in plain words. The service says which there are. */
import type { Field } from "../form/values.ts"
import { say } from "../screen/state.ts"
import { request } from "../service/request.ts"
import type { CommandId } from "../service/shapes.ts"
import { capital } from "../text/capital.ts"

const areas: Readonly<Record<string, string>> = {
  account: "LinkedIn accounts",
  admin: "Administration",
  audit: "Audit log",
  draft: "LinkedIn drafts",
  grant: "Signed-in AI agents",
  keys: "API keys",
  linkedin: "LinkedIn",
  usage: "Limits"
}

const deeds: Readonly<Record<string, string>> = {
  "": "Everything, and policies",
  draft: "Write drafts",
  dispatched: "Sent",
  dispatch_failed: "Not sent",
  dispatch_unknown: "Outcome unknown",
  head: "Checkpoint",
  read: "View",
  unknown: "Outcome unknown",
  write: "Add and edit"
}

const namesOf = (value: string): readonly [area: string, deed: string] => {
  const [area = "", ...rest] = value.split(/[:.]/)
  const deed = rest.join("_")
  return [areas[area] ?? capital(area), deeds[deed] ?? capital(deed.replaceAll("_", " "))]
}

/** `LinkedIn: send` for `linkedin:send`, `Lead: status changed` for `lead.status_changed`. */
export const plainName = (value: string): string => {
  const [area, deed] = namesOf(value)
  return `${area}: ${deed.charAt(0).toLowerCase()}${deed.slice(1)}`
}

/** A field where several values can be chosen, under the names of their areas. */
export const several = (name: string, label: string, values: ReadonlyArray<string>, hint: string): Field => {
  const named = values.map((value) => [value, ...namesOf(value)] as const)
  const groups = [...new Set(named.map(([, area]) => area))].map(
    (area) => [area, named.flatMap(([value, its, deed]) => (its === area ? [[value, deed] as const] : []))] as const
  )
  return { name, label, kind: "several", groups, hint }
}

interface Schema {
  readonly command: {
    readonly input_schema: {
      readonly properties: Readonly<Record<string, { items?: { enum?: ReadonlyArray<string> } }>>
    }
  }
}

/** Reads what the catalogue allows in a list of a command's input, and asks with it. */
export const askAmong =
  (id: CommandId, field: string, ask: (choices: ReadonlyArray<string>) => void) => async (): Promise<void> => {
    const found = await request<Schema>("GET", `/api/v1/commands/${id}/schema`)
    if (found.ok) ask(found.data.command.input_schema.properties[field]?.items?.enum ?? [])
    else say(found.problem.message, "problem")
  }
