/** Reading the policies of an organization and its keys. */
import * as Effect from "effect/Effect"
import { Actor } from "../../kernel/command/Actor.ts"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import { Workspaces } from "../organizations/Workspaces.ts"
import { type PoliciesView, viewOfPolicy, viewOfRules, viewOfTexts } from "./Policies.ts"

/** The policies of the organization, and of its keys that have their own and are not revoked. */
export const readPolicies: Effect.Effect<typeof PoliciesView.Type, StoreFailure, Actor | Workspaces> = Effect.gen(
  function* () {
    const { organizationId } = yield* Actor
    const workspaces = yield* Workspaces
    const organization = yield* workspaces.organizationPolicy(organizationId)
    const keys = (yield* workspaces.listKeys(organizationId)).flatMap(({ keyId, name, policies, revokedAt }) => {
      const policy = viewOfPolicy(policies?.key ?? {})
      const isSilent = Object.values(policy).every((rule) => rule === null)
      return isSilent || revokedAt !== null ? [] : [{ key_id: keyId, name, policy }]
    })
    return {
      approvals: viewOfRules(organization),
      texts: viewOfTexts(organization),
      organization: viewOfPolicy(organization),
      keys
    }
  }
)
