/**
 * No provider: messages are written, reviewed and approved here, and nothing leaves by itself.
 *
 * What was approved waits in the queue until a person has sent it on LinkedIn and says so with linkedin.queue.resolve.
 * Source: contract 3 (`SVC_LINKEDIN_GATEWAY=manual`); issue 4, item 1.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { fail } from "../Failure.ts"
import { LinkedInGateway } from "./LinkedInGateway.ts"

const nothing = Effect.succeed({ _tag: "Unavailable", detail: "No provider is configured." } as const)

/** The gateway of a deployment without a provider. */
export const layer: Layer.Layer<LinkedInGateway> = Layer.succeed(LinkedInGateway, {
  name: "manual",
  isByHand: true,
  automaticAccount: (agent) => ({ gatewayAccountId: `manual-${agent.id}`, tier: "FREE", features: [] }),
  relation: () => nothing,
  sendToChat: () => nothing,
  startChat: () => nothing,
  sendInvitation: () => nothing,
  searchPeople: () => Effect.fail(fail("GATEWAY_UNCONFIGURED"))
})
