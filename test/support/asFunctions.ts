/** Any gateway as a host's functions, and back: what one does, the other must do. */

import { SvcError } from "@svc/client"
import type { GatewayContext, GatewayDefinition, WriteOutcome } from "@svc/embed/define"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "#core/kernel/failure/Failure.ts"
import { LinkedInGateway } from "#core/outreach/provider/LinkedInGateway.ts"
import type { SendResult } from "#core/outreach/provider/ProviderReads.ts"
import { functionGateway } from "#embed/functionGateway.ts"

/** The result of a write in the words of a host's functions. */
const outcomeOf = (result: SendResult): WriteOutcome => {
  switch (result._tag) {
    case "Confirmed":
      return { outcome: "confirmed", messageId: result.messageId, externalId: result.externalId }
    case "Refused": {
      const { kind, providerCode: code, retryAfterSeconds } = result
      return { outcome: "refused", kind, code, ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }) }
    }
    default:
      return { outcome: result._tag === "Unknown" ? "unknown" : "unavailable", detail: result.detail }
  }
}

/** The functions of a gateway. */
const functionsOf = (
  gateway: LinkedInGateway["Service"],
  runPromise: <A>(effect: Effect.Effect<A>) => Promise<A>
): GatewayDefinition => {
  const read = async <A>(effect: Effect.Effect<A, Failure>, { fail }: GatewayContext): Promise<A> => {
    const result = await runPromise(Effect.result(effect))
    if (result._tag === "Success") return result.success
    const error: unknown = fail(result.failure.code as never, result.failure.message)
    throw error instanceof SvcError ? error : new Error("fail made no SvcError")
  }
  const write = async (effect: Effect.Effect<SendResult>) => outcomeOf(await runPromise(effect))
  return {
    name: gateway.name,
    automaticAccount: gateway.automaticAccount,
    relation: async (account, recipient) => {
      const result = await runPromise(gateway.relation(account, recipient))
      if (result._tag === "Known") return result.relation
      const outcome = outcomeOf(result)
      if (outcome.outcome === "confirmed" || outcome.outcome === "unknown") throw new Error("a look confirms nothing")
      return outcome
    },
    sendToChat: (account, delivery) => write(gateway.sendToChat(account, delivery)),
    startChat: (account, delivery) => write(gateway.startChat(account, delivery)),
    sendInvitation: (account, delivery) => write(gateway.sendInvitation(account, delivery)),
    withdrawInvitation: (account, recipient) => write(gateway.withdrawInvitation(account, recipient)),
    searchPeople: (account, search, context) => read(gateway.searchPeople(account, search), context),
    resolveProfile: (account, identities, context) => read(gateway.resolveProfile(account, identities), context),
    findChat: (account, recipient, context) => read(gateway.findChat(account, recipient), context),
    listMessages: (account, query, context) => read(gateway.listMessages(account, query), context),
    listRelations: (account, query, context) => read(gateway.listRelations(account, query), context)
  }
}

/** A gateway, called through functions that return promises. */
export const asFunctions = <E, R>(layer: Layer.Layer<LinkedInGateway, E, R>): Layer.Layer<LinkedInGateway, E, R> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const gateway = yield* LinkedInGateway
      return functionGateway(functionsOf(gateway, Effect.runPromiseWith(yield* Effect.context<never>())))
    })
  ).pipe(Layer.provide(layer))
