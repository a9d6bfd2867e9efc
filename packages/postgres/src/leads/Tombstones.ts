/** Hashes of identifiers: all that is kept of erased people. */

import type { OrganizationId } from "@svc/core"
import { type Suppressible, tombstoneHash } from "@svc/core/leads"

/** Hashes identifiers of an organization; null for leads and domains, which have no tombstones. */
export type HashesOf = (
  organizationId: OrganizationId,
  identifiers: ReadonlyArray<Suppressible>
) => ReadonlyArray<string | null>

/** Hashes with the secret of the deployment. */
export const hashesWith =
  (secret: string): HashesOf =>
  (organizationId, identifiers) =>
    identifiers.map((one) =>
      one.kind === "lead" || one.kind === "domain" ? null : tombstoneHash(secret, organizationId, one)
    )
