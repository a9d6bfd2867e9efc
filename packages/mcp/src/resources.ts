/** Resources in the form of the protocol. */
import type { ResourceEntry as Entry } from "@svc/core"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { agentView } from "./agentView.ts"
import { errorCodes, metaOf, type Params, type RpcError } from "./JsonRpc.ts"
import { visible, visibleText } from "./visibleText.ts"
import type { Workspace } from "./Workspace.ts"

export type ResourceEntry = Entry

const described = ({ description, mimeType, name, title }: Entry): Params => ({ name, title, description, mimeType })

/** Resources with a fixed URI. */
export const listedResources = (entries: ReadonlyArray<Entry>): ReadonlyArray<Params> =>
  entries.filter(({ uri }) => !uri.includes("{")).map((entry) => ({ uri: entry.uri, ...described(entry) }))

/** Resources with a URI template. */
export const listedTemplates = (entries: ReadonlyArray<Entry>): ReadonlyArray<Params> =>
  entries.filter(({ uri }) => uri.includes("{")).map((entry) => ({ uriTemplate: entry.uri, ...described(entry) }))

const codeOf = (status: number, notFound: number): number => {
  if (status === 404) return notFound
  if (status === 400) return errorCodes.invalidParams
  return status >= 500 ? errorCodes.internal : errorCodes.refused
}

/** Reads a resource. `notFound` is the revision's error code for a missing one. */
export const resourceResult = (
  workspace: Workspace,
  uri: string,
  params: Params,
  notFound: number
): Effect.Effect<Params, RpcError> => {
  const meta = metaOf(params)
  const profile = meta["svc/response_profile"]
  return Effect.flatMap(
    workspace.read({ uri, profile: typeof profile === "string" ? profile : undefined }),
    (result) => {
      if (!result.ok) {
        const { code, message } = result.error
        const error = { code: codeOf(result.status, notFound), message: visibleText(`${code}: ${message}`) }
        return Effect.fail({ ...error, data: { uri: visibleText(uri.slice(0, 200)), code, status: result.status } })
      }
      const resource = Predicate.isReadonlyObject(result.data) ? result.data["resource"] : undefined
      const payload = Predicate.isReadonlyObject(resource) ? resource["payload"] : undefined
      const shown = profile === "full" ? payload : agentView(payload)
      const text = JSON.stringify(visible(shown ?? {}))
      return Effect.succeed({
        contents: [{ uri, mimeType: "application/json", text, _meta: { "svc/untrusted": true } }]
      })
    }
  )
}
