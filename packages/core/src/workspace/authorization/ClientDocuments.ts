/**
 * Reads what a client says about itself at the URL that is its id: the port.
 *
 * An implementation checks the resolved address before it connects, as for webhooks, follows no redirects, reads a few kilobytes
 * and always ends within its time limit.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** A document, or why there is none. The reason is for people and names no address. */
export type ClientDocument =
  | {
      readonly _tag: "Found"
      readonly body: string
      /** Seconds for which it may be kept; undefined if its server does not say. */
      readonly maxAge: number | undefined
    }
  | { readonly _tag: "Missing"; readonly reason: string }

/** Reads documents. Never fails. */
export class ClientDocuments extends Context.Service<
  ClientDocuments,
  { readonly read: (url: string) => Effect.Effect<ClientDocument> }
>()("@svc/core/workspace/ClientDocuments") {}
