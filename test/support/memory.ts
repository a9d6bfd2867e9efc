/** Everything that commands need, in memory, with predictable ids. */
import type { ActorIdentity } from "#core/kernel/command/Execution.ts"
import { scopes } from "#core/kernel/command/Permission.ts"

/** A person with every right in an organization. */
export const owner = (organizationId = "org_a"): ActorIdentity => ({
  organizationId,
  userId: `usr_${organizationId}`,
  kind: "USER",
  mode: "full",
  scopes,
  keyId: null
})
