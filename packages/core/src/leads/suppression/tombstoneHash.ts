import { hmacBase64Url } from "../../kernel/schema/Hash.ts"
import type { OrganizationId } from "../../kernel/schema/RecordIds.ts"
import type { Suppressible } from "./Suppression.ts"

/**
 * What is kept of an erased identifier: HMAC-SHA-256, base64url, of the organization and the identifier. Useless without
 * the secret, and different in every organization.
 */
export const tombstoneHash = (secret: string, organizationId: OrganizationId, { kind, value }: Suppressible): string =>
  hmacBase64Url(secret, `${organizationId}\n${kind}:${value}`)
