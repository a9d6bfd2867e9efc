import * as Context from "effect/Context"
import type { TokenOptions } from "./identity/MemberToken.ts"

/** How identifiers are read, for the whole deployment. By default, member ids are derived from LinkedIn tokens. */
export const IdentityOptions: Context.Reference<TokenOptions> = Context.Reference<TokenOptions>(
  "@svc/core/leads/IdentityOptions",
  { defaultValue: () => ({ deriveMemberId: true }) }
)
