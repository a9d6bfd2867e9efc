/** Completion of prompt arguments and resource templates, from the data of the organization. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { Params, RpcError } from "./JsonRpc.ts"
import { visibleText } from "./visibleText.ts"
import type { Workspace } from "./Workspace.ts"

interface Source {
  readonly command: string
  /** The list in the command's output, and the field of its items. */
  readonly list: string
  readonly field: string
}

const missions: Source = { command: "mission.list", list: "missions", field: "id" }

/** Sources by prompt argument or resource template. */
const sources: Readonly<Record<string, Source>> = {
  mission: missions,
  "svc://missions/{handle}": missions,
  "svc://agents/{handle}": { command: "agent.list", list: "agents", field: "handle" },
  "svc://offers/{id}": { command: "offer.list", list: "offers", field: "id" },
  "svc://linkedin/drafts/{id}": { command: "linkedin.draft.list", list: "drafts", field: "draft_id" },
  "svc://imports/{id}": { command: "import.list", list: "imports", field: "import_id" },
  "svc://prospects/{id}": { command: "lead.search", list: "leads", field: "lead_id" }
}

const maxValues = 100

/** The values that start with the argument, or whose objects have a name that does. */
export const completion = (workspace: Workspace, params: Params): Effect.Effect<Params, RpcError> => {
  const reference = Predicate.isReadonlyObject(params["ref"]) ? params["ref"] : {}
  const argument = Predicate.isReadonlyObject(params["argument"]) ? params["argument"] : {}
  const key = reference["type"] === "ref/resource" ? reference["uri"] : argument["name"]
  const source = typeof key === "string" && Object.hasOwn(sources, key) ? sources[key] : undefined
  const prefix = typeof argument["value"] === "string" ? argument["value"].toLowerCase() : ""
  if (source === undefined) return Effect.succeed({ completion: { values: [], total: 0, hasMore: false } })
  const { command, field, list } = source
  return Effect.map(
    workspace.run({ command, input: { limit: maxValues }, options: { response_profile: "compact" } }),
    (result) => {
      const items: unknown = result.ok && Predicate.isReadonlyObject(result.data) ? result.data[list] : []
      const all = (Array.isArray(items) ? items : []).flatMap((item) => {
        const value: unknown = Predicate.isReadonlyObject(item) ? item[field] : undefined
        const names = Predicate.isReadonlyObject(item) ? [value, item["name"]] : []
        const fits = names.some((name) => typeof name === "string" && name.toLowerCase().startsWith(prefix))
        return typeof value === "string" && fits ? [visibleText(value)] : []
      })
      const values = all.slice(0, maxValues)
      return { completion: { values, total: values.length, hasMore: false } }
    }
  )
}
