/**
 * Sales Navigator leads: their URL, and the token that identifies them.
 *
 * The URL ends in up to three parts, `token,authType,authToken`. Only the token identifies the person; the last part
 * changes with the session and must never be used for matching. All three are stored together as an attribute, because a
 * gateway needs them to act on the lead.
 */
import * as Result from "effect/Result"

import { InvalidInput } from "../../kernel/failure/failures.ts"
import { cleanPasted, decodePercent, excerpt, unwrap } from "../../kernel/schema/TextFields.ts"
import type { Identity } from "./Identity.ts"
import { splitLinkedInUrl } from "./LinkedInUrl.ts"
import { looksLikeToken, readToken, type TokenOptions } from "./MemberToken.ts"

/**
 * A Sales Navigator lead. `identities` are the token and, where derivation is on, its member id. `triple` is
 * `token,authType` or `token,authType,authToken`, absent when nothing but the token was given.
 */
interface SalesNavLead {
  readonly token: string
  readonly triple?: string
  readonly identities: ReadonlyArray<Identity>
}

const authPart = (text: string | undefined): string | undefined => {
  const part = text?.trim() ?? ""
  return part.length <= 64 && part !== "undefined" && /^[A-Za-z0-9_-]+$/.test(part) ? part : undefined
}

/**
 * Reads `token[,authType[,authToken]]`, with or without the parentheses of the URN and with percent-encoded commas.
 * Invalid parts after the token are dropped. Undefined when the first part cannot be a token.
 */
export const readTriple = (text: string, options: TokenOptions): SalesNavLead | undefined => {
  const [first = "", second, third] = (decodePercent(text) ?? "").replace(/^\(|\)$/g, "").split(",", 3)
  const token = first.trim()
  const identities = readToken(token, "sales_nav_token", options)
  if (identities === undefined) return undefined
  const authType = authPart(second)
  const authToken = authPart(third)
  if (authType === undefined) return { token, identities }
  return { token, identities, triple: [token, authType, ...(authToken === undefined ? [] : [authToken])].join(",") }
}

/** Parses the path of `/sales/lead/…` and `/sales/people/…`; undefined for any other path. */
export const readLeadPath = (segments: ReadonlyArray<string>, options: TokenOptions): SalesNavLead | undefined => {
  const [product, page, lead] = segments
  if (product?.toLowerCase() !== "sales" || lead === undefined) return undefined
  return ["lead", "people"].includes(page?.toLowerCase() ?? "") ? readTriple(lead, options) : undefined
}

const urn = /^urn:li:fs_salesprofile:/i

/** Parses the URL, URN (`urn:li:fs_salesProfile:(…)`), triple or token of a lead. Fails with INVALID_INPUT. */
export const parseSalesNavLead = (input: string, options: TokenOptions): Result.Result<SalesNavLead, InvalidInput> => {
  const text = unwrap(cleanPasted(input))
  const decoded = /^urn%3a/i.test(text) ? (decodePercent(text) ?? text) : text
  const bare = decoded.split(/[,%]/, 1)[0] ?? ""
  const lead = urn.test(decoded)
    ? readTriple(decoded.replace(urn, ""), options)
    : looksLikeToken(bare.trim())
      ? readTriple(decoded, options)
      : readLeadPath(splitLinkedInUrl(text).segments, options)
  return lead === undefined
    ? Result.fail(
        new InvalidInput({
          message:
            `${excerpt(input)} is not a Sales Navigator lead. Send its URL (https://www.linkedin.com/sales/lead/ACwAA…), its ` +
            "URN, or its token."
        })
      )
    : Result.succeed(lead)
}
