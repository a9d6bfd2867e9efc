/** How identifiers are read, for the whole deployment. Source: finding 0.3, G15 (derivation can be switched off). */
import * as Context from "effect/Context"
import type { TokenOptions } from "./identity/MemberToken.ts"

/** Unless a host says otherwise, LinkedIn tokens tell the member id. */
export const IdentityOptions: Context.Reference<TokenOptions> = Context.Reference<TokenOptions>(
  "@svc/core/leads/IdentityOptions",
  { defaultValue: () => ({ deriveMemberId: true }) }
)
