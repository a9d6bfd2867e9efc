/**
 * What goes with a hosted link and comes back with its notification: for whom the account is, signed by us, since the
 * provider signs nothing.
 */

import { constantTimeEqual, hmacBase64Url } from "../../kernel/schema/Hash.ts"
import type { AgentId, InstantText, OrganizationId } from "../../kernel/schema/RecordIds.ts"

/** Who asked for a link, and until when it works. */
export interface LinkState {
  readonly organizationId: OrganizationId
  readonly agentId: AgentId
  readonly expiresAt: InstantText
}

const signature = (secret: string, body: string): string => hmacBase64Url(secret, `link-state\n${body}`)

/** The state as text. */
export const writeLinkState = (secret: string, { agentId, expiresAt, organizationId }: LinkState): string => {
  const body = Buffer.from(JSON.stringify([organizationId, agentId, expiresAt])).toString("base64url")
  return `${body}.${signature(secret, body)}`
}

/** The state of a text that we signed and that has not expired; undefined for any other text. Never throws. */
export const readLinkState = (secret: string, text: string, now: string): LinkState | undefined => {
  const [body = "", mark = "", ...rest] = text.split(".", 3)
  if (rest.length > 0 || !constantTimeEqual(mark, signature(secret, body))) return undefined
  const [organizationId, agentId, expiresAt]: ReadonlyArray<string> = JSON.parse(
    Buffer.from(body, "base64url").toString("utf8")
  )
  if (organizationId === undefined || agentId === undefined || expiresAt === undefined) return undefined
  return expiresAt > now ? { organizationId, agentId, expiresAt } : undefined
}
