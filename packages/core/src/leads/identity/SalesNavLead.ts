/**
 * Leads of Sales Navigator: their address, and the token that identifies them.
 *
 * The address ends in up to three parts, `token,authType,authToken`. Only the token identifies the person; the last part
 * changes with the session and must never enter identity or deduplication. All three are kept together as an attribute,
 * because a gateway needs them to act on the lead.
 *
 * Source: G16; the URN of G15.
 */
import * as Result from "effect/Result"
import { type Failure, fail } from "../../Failure.ts"
import type { Identity } from "./Identity.ts"
import { splitAddress } from "./LinkedInAddress.ts"
import { looksLikeToken, readToken, type TokenOptions } from "./MemberToken.ts"
import { cleanPasted, decodePercent, excerpt, unwrap } from "./pastedText.ts"

/**
 * A Sales Navigator lead. `identities` are the token and, where derivation is on, its member id. `triple` is
 * `token,authType` or `token,authType,authToken`, absent when nothing but the token was given.
 */
export interface SalesNavLead {
  readonly token: string
  readonly authType?: string
  readonly authToken?: string
  readonly triple?: string
  readonly canonicalUrl: string
  readonly identities: ReadonlyArray<Identity>
}

const authPart = (text: string | undefined): string | undefined => {
  const part = text?.trim() ?? ""
  return part.length <= 64 && part !== "undefined" && /^[A-Za-z0-9_-]+$/.test(part) ? part : undefined
}

/**
 * Reads `token[,authType[,authToken]]`, with or without the parentheses of the URN and with percent-encoded commas.
 * Parts after the token that are empty, the word `undefined`, or no plain word are dropped. Undefined when the first
 * part cannot be a token. Source: G16.
 */
export const readTriple = (text: string, options: TokenOptions): SalesNavLead | undefined => {
  const [first = "", second, third] = (decodePercent(text) ?? "").replace(/^\(|\)$/g, "").split(",", 3)
  const token = first.trim()
  const identities = readToken(token, "sales_nav_token", options)
  if (identities === undefined) return undefined
  const canonicalUrl = `https://www.linkedin.com/sales/lead/${token}`
  const authType = authPart(second)
  if (authType === undefined) return { token, canonicalUrl, identities }
  const authToken = authPart(third)
  return authToken === undefined
    ? { token, authType, triple: `${token},${authType}`, canonicalUrl, identities }
    : { token, authType, authToken, triple: `${token},${authType},${authToken}`, canonicalUrl, identities }
}

/** Reads the path of `/sales/lead/…` and `/sales/people/…`; undefined for any other path. */
export const readLeadPath = (segments: ReadonlyArray<string>, options: TokenOptions): SalesNavLead | undefined => {
  const [product, page, lead] = segments
  if (product?.toLowerCase() !== "sales" || lead === undefined) return undefined
  return ["lead", "people"].includes(page?.toLowerCase() ?? "") ? readTriple(lead, options) : undefined
}

const urn = /^urn:li:fs_salesprofile:/i

/**
 * Reads a Sales Navigator lead from its address, its URN `urn:li:fs_salesProfile:(…)`, the bare triple or the bare
 * token. Fails with INVALID_INPUT. Source: G15, G16.
 */
export const parseSalesNavLead = (input: string, options: TokenOptions): Result.Result<SalesNavLead, Failure> => {
  const text = unwrap(cleanPasted(input))
  const decoded = /^urn%3a/i.test(text) ? (decodePercent(text) ?? text) : text
  const bare = decoded.split(/[,%]/, 1)[0] ?? ""
  const lead = urn.test(decoded)
    ? readTriple(decoded.replace(urn, ""), options)
    : looksLikeToken(bare.trim())
      ? readTriple(decoded, options)
      : readLeadPath(splitAddress(text).segments, options)
  return lead === undefined
    ? Result.fail(
        fail(
          "INVALID_INPUT",
          `${excerpt(input)} is no lead of Sales Navigator. ` +
            "Send its address (https://www.linkedin.com/sales/lead/ACwAA…), its URN, or its token alone."
        )
      )
    : Result.succeed(lead)
}
