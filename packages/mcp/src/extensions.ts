/** Extensions of the protocol, which a client declares with each request. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { errorCodes, metaOf, type Params, type RpcError } from "./JsonRpc.ts"
import { capabilitiesKey } from "./Revision.ts"

/** Long calls that a client polls. */
export const tasksExtension = "io.modelcontextprotocol/tasks"

/** Instructions for the use of tools, as files. */
export const skillsExtension = "io.modelcontextprotocol/skills"

const objectIn = (value: unknown, key: string): unknown =>
  Predicate.isReadonlyObject(value) && Predicate.isReadonlyObject(value[key]) ? value[key] : undefined

/** What the client of a request can do; undefined if it does not say. */
export const capabilitiesOf = (params: Params): unknown => objectIn(metaOf(params), capabilitiesKey)

/** Whether the client of a request declares an extension. */
export const declares = (params: Params, extension: string): boolean =>
  objectIn(objectIn(capabilitiesOf(params), "extensions"), extension) !== undefined

/** Fails unless the client of a request declares an extension. */
export const requires = (params: Params, extension: string): Effect.Effect<void, RpcError> =>
  declares(params, extension)
    ? Effect.void
    : Effect.fail({
        code: errorCodes.missingCapability,
        message: `The client must declare the extension ${extension}.`,
        data: { requiredCapabilities: { extensions: { [extension]: {} } } }
      })
