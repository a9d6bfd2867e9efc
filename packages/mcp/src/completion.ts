/** Completing arguments of prompts and names in resource templates, from what the organization has. */
import * as Effect from "effect/Effect"
import { isObject, type Params, type RpcError } from "./JsonRpc.ts"
import { visibleText } from "./visibleText.ts"
import type { Workspace } from "./Workspace.ts"

interface Source {
  readonly command: string
  /** The list in the command's output, and the field of its items. */
  readonly list: string
  readonly field: string
}

const missions: Source = { command: "mission.list", list: "missions", field: "id" }

/** What completes an argument, by the prompt's argument or by the template and its name. */
const sources: Readonly<Record<string, Source>> = {
  mission: missions,
  "svc://missions/{handle}": missions,
  "svc://agents/{handle}": { command: "agent.list", list: "agents", field: "handle" },
  "svc://offers/{id}": { command: "offer.list", list: "offers", field: "id" },
  "svc://linkedin/drafts/{id}": { command: "linkedin.draft.list", list: "drafts", field: "draft_id" },
  "svc://imports/{id}": { command: "import.list", list: "imports", field: "import_id" },
  "svc://prospects/{id}": { command: "lead.search", list: "leads", field: "lead_id" }
}

const most = 100

/** The values that begin, or whose thing has a name that begins, as the caller's; none where nothing can be known, or may be. */
export const completion = (workspace: Workspace, params: Params): Effect.Effect<Params, RpcError> => {
  const reference = isObject(params["ref"]) ? params["ref"] : {}
  const argument = isObject(params["argument"]) ? params["argument"] : {}
  const key = reference["type"] === "ref/resource" ? reference["uri"] : argument["name"]
  const source = typeof key === "string" && Object.hasOwn(sources, key) ? sources[key] : undefined
  const begun = typeof argument["value"] === "string" ? argument["value"].toLowerCase() : ""
  if (source === undefined) return Effect.succeed({ completion: { values: [], total: 0, hasMore: false } })
  const { command, field, list } = source
  return Effect.map(
    workspace.run({ command, input: { limit: most }, options: { response_profile: "compact" } }),
    (told) => {
      const items: unknown = told.ok && isObject(told.data) ? told.data[list] : []
      const all = (Array.isArray(items) ? items : []).flatMap((item) => {
        const value: unknown = isObject(item) ? item[field] : undefined
        const names = isObject(item) ? [value, item["name"]] : []
        const fits = names.some((name) => typeof name === "string" && name.toLowerCase().startsWith(begun))
        return typeof value === "string" && fits ? [visibleText(value)] : []
      })
      const values = all.slice(0, most)
      return { completion: { values, total: values.length, hasMore: false } }
    }
  )
}
