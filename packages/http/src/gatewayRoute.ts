/**
 * POST /api/v1/gateways/{gateway}/webhook/{token}: where a provider tells what happened.
 *
 * It needs no key: the token in the path says whose it is, and is looked at before the body. Whatever was understood is
 * answered 200, also what is known already or nothing to us, so that a provider does not tell it again; a store that cannot
 * answer is 503, so that it does. Source: issue 4, inbound; mission research 5.2, webhooks.
 */
import { InboundReceiver } from "@svc/core/linkedin/inbound/InboundReceiver"
import * as Effect from "effect/Effect"
import { json } from "./Answer.ts"
import { readJson } from "./RequestBody.ts"
import type { Route } from "./Route.ts"

/** Path of the endpoint. */
export const gatewayWebhookPath = "/api/v1/gateways/{gateway}/webhook/{token}"

/** Largest telling in bytes: a message of 50,000 characters with its attendees and attachments fits. */
const largestTelling = 512 * 1024

/** The route. */
export const gatewayRoute: Effect.Effect<Route, never, InboundReceiver> = Effect.map(InboundReceiver, (receiver) => ({
  method: "POST",
  path: gatewayWebhookPath,
  access: "open",
  handle: ({ params, request }) =>
    Effect.gen(function* () {
      const organizationId = yield* receiver.owner(params["gateway"] ?? "", params["token"] ?? "")
      const payload = yield* readJson(request, largestTelling)
      yield* receiver.receive(organizationId, payload)
      return json({ data: { received: true } })
    })
}))
