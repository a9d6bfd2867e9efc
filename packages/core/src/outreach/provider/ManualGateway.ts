/**
 * No provider: messages are written, reviewed and approved here, and nothing is sent by itself.
 *
 * What was approved waits in the queue until a person has sent it on LinkedIn and says so with linkedin.queue.resolve.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { GatewayUnconfigured } from "../failures.ts"
import { LinkedInGateway, sendingOnly } from "./LinkedInGateway.ts"

const nothing = Effect.succeed({ _tag: "Unavailable", detail: "No provider is configured." } as const)

/** The gateway of a deployment without a provider. */
export const layer: Layer.Layer<LinkedInGateway> = Layer.succeed(LinkedInGateway, {
  ...sendingOnly,
  name: "manual",
  isManual: true,
  automaticAccount: (agent) => ({ gatewayAccountId: `manual-${agent.id}`, tier: "FREE", features: [] }),
  relation: () => nothing,
  sendToChat: () => nothing,
  startChat: () => nothing,
  sendInvitation: () => nothing,
  searchPeople: () => Effect.fail(new GatewayUnconfigured())
})
