/** The client program behind a request. */
import { type ClientInfo, clientInfo } from "@svc/core"
import { metaOf, type Params } from "./JsonRpc.ts"

const clientKey = "io.modelcontextprotocol/clientInfo"

/** The client that a request names: in `_meta`, or in the parameters of `initialize`. */
export const clientOf = (params: Params): ClientInfo | undefined => {
  const { name, version } = Object(metaOf(params)[clientKey] ?? params["clientInfo"])
  return clientInfo(name, version)
}
