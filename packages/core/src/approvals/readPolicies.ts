/** Reading the policies of an organization and its keys. */
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import type { Failure } from "../Failure.ts"
import { Workspaces } from "../workspace/Workspaces.ts"
import { type PoliciesView, viewOfPolicy } from "./Policies.ts"

/** What applies; only keys that are not revoked and say something of their own. */
export const readPolicies: Effect.Effect<typeof PoliciesView.Type, Failure, Actor | Workspaces> = Effect.gen(
  function* () {
    const { organizationId } = yield* Actor
    const workspaces = yield* Workspaces
    const organization = yield* workspaces.organizationPolicy(organizationId)
    const keys = (yield* workspaces.listKeys(organizationId)).flatMap(({ keyId, name, policies, revokedAt }) => {
      const policy = viewOfPolicy(policies?.key ?? {})
      const isSilent = Object.values(policy).every((rule) => rule === null)
      return isSilent || revokedAt !== null ? [] : [{ key_id: keyId, name, policy }]
    })
    return { organization: viewOfPolicy(organization), keys }
  }
)
