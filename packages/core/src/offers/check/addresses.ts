/** Addresses that lead a reader nowhere: made up, internal, mistyped or hidden behind a shortener. No network is asked. */
import { excerpt, type Finding } from "../../Finding.ts"
import { findPlaceholders } from "../../Placeholder.ts"
import type { OfferText } from "./offerTexts.ts"

/** Names kept for examples and private networks, which never lead anywhere outside. Source: RFC 2606, RFC 6761, RFC 6762. */
const reserved = /(?:^|\.)(?:example|test|invalid|localhost|local|internal|lan|example\.(?:com|org|net))$/

const madeUp =
  /^(?:www\.)?(?:your-?(?:domain|company|website|site|page)|my-?(?:domain|company|website)|domain|website)\.[a-z]{2,}$/

const shorteners = new Set([
  "bit.ly",
  "tinyurl.com",
  "t.co",
  "goo.gl",
  "ow.ly",
  "is.gd",
  "buff.ly",
  "rebrand.ly",
  "cutt.ly",
  "lnkd.in"
])

type Problem = Pick<Finding, "severity" | "code" | "message">

const dead = (message: string, severity: Finding["severity"] = "warning"): Problem => ({
  severity,
  code: "dead_address",
  message
})

const problemOf = (text: string): Problem | undefined => {
  if (findPlaceholders(text).length > 0 || findPlaceholders(decoded(text)).length > 0) {
    return { severity: "error", code: "placeholder", message: "The address holds a placeholder. Write the real one." }
  }
  if (!URL.canParse(text))
    return dead("This is no address. Write a whole one, such as https://company.com/page.", "error")
  const { hostname, protocol } = new URL(text)
  const host = hostname.replace(/\.$/, "")
  if (/^https?$/.test(host)) return dead("The address has two beginnings. Keep one https://.", "error")
  if (reserved.test(host))
    return dead(`${excerpt(host)} is a name for examples or inside networks. Write the public one.`)
  if (/^[\d.]+$|^\[/.test(host)) return dead("The address is a number that changes. Write the site's name.")
  if (!host.includes(".")) return dead(`${excerpt(host)} is no public name: it has no ending such as .com.`, "error")
  if (madeUp.test(host)) return dead(`${excerpt(host)} looks made up. Write the real address.`)
  if (/[.,;:!)\]>"'»…]$/.test(text)) {
    return dead("The address ends with a punctuation mark, which was probably copied with it. Remove the mark.")
  }
  if (shorteners.has(host)) {
    return {
      severity: "warning",
      code: "short_address",
      message: "Readers and spam filters distrust shortened addresses. Write the real one."
    }
  }
  if (protocol === "http:") {
    return {
      severity: "info",
      code: "insecure_address",
      message: "Browsers warn of http. Use https if the site has it."
    }
  }
  return undefined
}

const decoded = (text: string): string =>
  text.replaceAll(/%7B/gi, "{").replaceAll(/%7D/gi, "}").replaceAll(/%5B/gi, "[").replaceAll(/%5D/gi, "]")

/** Findings on addresses, at most one for each. */
export const addresses = (list: ReadonlyArray<OfferText>): ReadonlyArray<Finding> =>
  list.flatMap(({ path, text }) => {
    const problem = problemOf(text)
    return problem === undefined ? [] : [{ path, ...problem }]
  })
