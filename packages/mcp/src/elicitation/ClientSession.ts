/**
 * What a client said of itself at `initialize`, in the session id that it sends with every later request: nothing is stored,
 * so any process understands it. It is not signed, since a client may say of itself what it likes.
 */
import { type ClientInfo, clientInfo } from "@svc/core"
import * as Predicate from "effect/Predicate"
import { objectOf, type Params, parseJson } from "../JsonRpc.ts"
import { clientOf, negotiateRevision } from "../requestMeta.ts"

/** How a client can ask its user: with a form, or by opening a URL. */
export type Mode = "form" | "url"

/** A client. */
interface ClientSession {
  readonly client: ClientInfo | undefined
  readonly modes: ReadonlyArray<Mode>
}

/** The first revision with URLs. */
const urlRevision = "2025-11-25"

/** The modes that capabilities declare. An empty capability means forms. */
export const modesOf = (capabilities: unknown, revision: string): ReadonlyArray<Mode> => {
  const declared = objectOf(capabilities)["elicitation"]
  if (!Predicate.isReadonlyObject(declared)) return []
  const hasUrl = declared["url"] !== undefined
  return [
    ...(declared["form"] !== undefined || !hasUrl ? (["form"] as const) : []),
    ...(hasUrl && revision >= urlRevision ? (["url"] as const) : [])
  ]
}

/** The client behind the parameters of `initialize`. */
export const sessionOf = (params: Params): ClientSession => ({
  client: clientOf(params),
  modes: modesOf(params["capabilities"], negotiateRevision(params["protocolVersion"]))
})

/** The session id of a client; undefined if there is nothing to remember of it. */
export const writeSession = ({ client, modes }: ClientSession): string | undefined =>
  client === undefined && modes.length === 0
    ? undefined
    : Buffer.from(JSON.stringify([client?.name ?? "", client?.version ?? "", ...modes])).toString("base64url")

/** Longest session id. */
const maxLength = 1_000

/** The client in a session id. One that this service did not give out tells nothing, and is ignored. */
export const readSession = (id: string | undefined): ClientSession => {
  const values =
    id === undefined || id.length > maxLength ? [] : parseJson(Buffer.from(id, "base64url").toString("utf8"))
  const [name, version, ...modes] = Array.isArray(values) ? values : []
  return {
    client: clientInfo(name, version),
    modes: (["form", "url"] as const).filter((mode) => modes.includes(mode))
  }
}

/** Whether a session id was given out by this service, or at least looks like it. */
export const isSession = (id: string | undefined): boolean => writeSession(readSession(id)) !== undefined
