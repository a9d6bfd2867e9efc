/**
 * POST /api/v1/gateways/{gateway}/webhook/{token}: receives webhooks of a provider.
 *
 * It needs no key: the token in the path identifies the organization, and is counted and checked before the body. Known and
 * irrelevant events return 200, so that the provider does not retry them. An unreachable store returns 503, so that it does.
 */
import { InboundReceiver } from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import type { RateLimits } from "./RateLimits.ts"
import { readJson } from "./RequestBody.ts"
import { openRoute, type Route } from "./Route.ts"
import { json } from "./responses.ts"

/** Path of the endpoint. */
export const gatewayWebhookPath = "/api/v1/gateways/{gateway}/webhook/{token}"

/** Size limit in bytes: a message of 50,000 characters with attendees and attachments fits. */
const maxBytes = 512 * 1024

/** The route. */
export const gatewayRoute = ({ presented, takeWebhook }: RateLimits): Effect.Effect<Route, never, InboundReceiver> =>
  Effect.map(InboundReceiver, (receiver) =>
    openRoute("POST", gatewayWebhookPath, ({ params: { gateway = "", token = "" }, request }) =>
      Effect.gen(function* () {
        const owner = Effect.andThen(takeWebhook(token), receiver.owner(gateway, token))
        const organizationId = yield* presented("webhook", request, token, owner)
        const payload = yield* readJson(request, maxBytes)
        yield* receiver.receive(organizationId, payload)
        return json({ data: { received: true } })
      })
    )
  )
