/** The service's resources as the protocol lists and reads them. Source: G44; issue "resources and templates". */
import type { ResourceEntry as Entry } from "@svc/core/Resource"
import * as Effect from "effect/Effect"
import { errorCodes, isObject, type Params, type RpcError } from "./JsonRpc.ts"
import { visible, visibleText } from "./visibleText.ts"
import type { Workspace } from "./Workspace.ts"

/** A resource of the catalogue. */
export type ResourceEntry = Entry

const described = ({ description, mimeType, name, title }: Entry): Params => ({ name, title, description, mimeType })

/** Resources with an address of their own. */
export const listedResources = (entries: ReadonlyArray<Entry>): ReadonlyArray<Params> =>
  entries.filter(({ uri }) => !uri.includes("{")).map((entry) => ({ uri: entry.uri, ...described(entry) }))

/** Resources whose address holds a name. */
export const listedTemplates = (entries: ReadonlyArray<Entry>): ReadonlyArray<Params> =>
  entries.filter(({ uri }) => uri.includes("{")).map((entry) => ({ uriTemplate: entry.uri, ...described(entry) }))

const codeOf = (status: number, notFound: number): number => {
  if (status === 404) return notFound
  if (status === 400) return errorCodes.invalidParams
  return status >= 500 ? errorCodes.internal : errorCodes.refused
}

/** Reads a resource. `notFound` is the code of one that is not there, which the revisions disagree on. */
export const resourceResult = (
  workspace: Workspace,
  uri: string,
  params: Params,
  notFound: number
): Effect.Effect<Params, RpcError> => {
  const meta = isObject(params["_meta"]) ? params["_meta"] : {}
  const profile = meta["svc/response_profile"]
  return Effect.flatMap(workspace.read({ uri, profile: typeof profile === "string" ? profile : undefined }), (told) => {
    if (!told.ok) {
      const { code, message } = told.error
      const error = { code: codeOf(told.status, notFound), message: visibleText(`${code}: ${message}`) }
      return Effect.fail({ ...error, data: { uri: visibleText(uri.slice(0, 200)), code, status: told.status } })
    }
    const resource = isObject(told.data) ? told.data["resource"] : undefined
    const payload = isObject(resource) ? resource["payload"] : undefined
    const text = JSON.stringify(visible(payload ?? {}))
    return Effect.succeed({
      contents: [{ uri, mimeType: "application/json", text, _meta: { "svc/untrusted": true } }]
    })
  })
}
