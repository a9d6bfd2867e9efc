/**
 * The policies of organizations for actors without a key, cached for half a second like keys, so that a burst of runs
 * needs only one lookup. Policies of a key are read with it.
 */

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { CommandPolicy } from "../../kernel/command/Permission.ts"
import { OrganizationPolicies } from "../../kernel/command/Policy.ts"
import type { OrganizationId } from "../../kernel/schema/IdsAndTime.ts"
import { Workspaces } from "../Workspaces.ts"

/** How long a policy is cached, in milliseconds. */
const cacheMillis = 500
/** Maximum cached organizations; then the cache is cleared. */
const capacity = 10_000

/** Looks policies up in the store. */
export const layer: Layer.Layer<never, never, Workspaces> = Layer.effect(
  OrganizationPolicies,
  Effect.map(Workspaces, (workspaces) => {
    const cache = new Map<string, { readonly policy: CommandPolicy; readonly readAt: number }>()
    return Effect.fnUntraced(function* (organizationId: OrganizationId) {
      const now = yield* Clock.currentTimeMillis
      const known = cache.get(organizationId)
      if (known !== undefined && now - known.readAt < cacheMillis && now >= known.readAt) return known.policy
      const policy = yield* workspaces.organizationPolicy(organizationId)
      if (cache.size >= capacity) cache.clear()
      cache.set(organizationId, { policy, readAt: now })
      return policy
    })
  })
)
