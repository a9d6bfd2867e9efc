/**
 * Organizations' policies for actors that come without a key: remembered for half a second, as keys are, so that a burst
 * of runs costs one look-up. With a key, the policies were read with it.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type CommandPolicy, OrganizationPolicies } from "../Policy.ts"
import { Workspaces } from "./Workspaces.ts"

/** How long a policy is remembered, in milliseconds. */
const memory = 500
/** How many organizations are remembered; then all are forgotten. */
const capacity = 10_000

/** Looks policies up in the store. */
export const layer: Layer.Layer<never, never, Workspaces> = Layer.effect(
  OrganizationPolicies,
  Effect.map(Workspaces, (workspaces) => {
    const remembered = new Map<string, { readonly policy: CommandPolicy; readonly readAt: number }>()
    return Effect.fnUntraced(function* (organizationId: string) {
      const now = yield* Clock.currentTimeMillis
      const known = remembered.get(organizationId)
      if (known !== undefined && now - known.readAt < memory && now >= known.readAt) return known.policy
      const policy = yield* workspaces.organizationPolicy(organizationId)
      if (remembered.size >= capacity) remembered.clear()
      remembered.set(organizationId, { policy, readAt: now })
      return policy
    })
  })
)
