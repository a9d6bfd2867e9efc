/**
 * No provider: messages are written, reviewed and approved here, and nothing leaves by itself.
 *
 * No agent has an account, so an attempt to send is refused before anything is stored. Source: contract 3
 * (`SVC_LINKEDIN_GATEWAY=manual`).
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { fail } from "../Failure.ts"
import { LinkedInGateway } from "./LinkedInGateway.ts"

const nothing = Effect.succeed({ _tag: "Unavailable", detail: "No provider is configured." } as const)

/** The gateway of a deployment without a provider. */
export const layer: Layer.Layer<LinkedInGateway> = Layer.succeed(LinkedInGateway, {
  name: "manual",
  automaticAccount: () => undefined,
  relation: () => nothing,
  sendToChat: () => nothing,
  startChat: () => nothing,
  sendInvitation: () => nothing,
  searchPeople: () => Effect.fail(fail("GATEWAY_UNCONFIGURED"))
})
