/** The texts of an offer with their paths, in display order. Paths use the field names of commands. */

import { excerpt, type Finding } from "../../kernel/schema/Finding.ts"
import { snakeFields } from "../../kernel/schema/snakeCase.ts"
import { findPlaceholders } from "../../kernel/schema/TextFields.ts"
import { parseUrl } from "../../kernel/schema/TextRules.ts"
import type { OfferContent } from "../Offer.ts"

/** A text and its path. */
export interface OfferText {
  readonly path: string
  readonly text: string
}

const at = (prefix: string, fields: Readonly<Record<string, string | null>>): ReadonlyArray<OfferText> =>
  Object.entries(fields).flatMap(([name, text]) => (text === null ? [] : [{ path: `${prefix}${name}`, text }]))

/** The parts of an offer with texts. */
type OfferWords = Omit<OfferContent, "isDraft" | "landingPageUrl" | "salesBriefUrl">

/** All texts except URLs. */
export const textsOf = (offer: OfferWords): ReadonlyArray<OfferText> => [
  ...at("", snakeFields(offer, ["name", "oneLiner", "valueProposition", "description"])),
  ...offer.references.flatMap(({ author, company, content, keyResult, source, title }, index) =>
    at(`references[${index}].`, { title, content, author, company, key_result: keyResult, source })
  ),
  ...offer.problemSolutions.flatMap((item, index) => at(`problem_solutions[${index}].`, item)),
  ...offer.differentiators.flatMap((item, index) => at(`differentiators[${index}].`, item)),
  ...offer.resources.flatMap(({ description, title }, index) => at(`resources[${index}].`, { title, description }))
]

/** All URLs. */
export const addressesOf = (offer: OfferContent): ReadonlyArray<OfferText> => [
  ...at("", { landing_page_url: offer.landingPageUrl, sales_brief_url: offer.salesBriefUrl }),
  ...offer.references.flatMap(({ url }, index) => at(`references[${index}].`, { url })),
  ...offer.resources.flatMap(({ url }, index) => at(`resources[${index}].`, { url }))
]

/** {@link textsOf} without paths. */
export const offerTexts = (offer: OfferWords): ReadonlyArray<string> => textsOf(offer).map(({ text }) => text)

/** Names reserved for examples and private networks. Source: RFC 2606, RFC 6761, RFC 6762. */
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
    return { severity: "error", code: "placeholder", message: "The URL contains a placeholder. Replace it." }
  }
  const url = parseUrl(text)
  if (url === undefined)
    return dead("This is not a URL. Send a complete one, such as https://company.com/page.", "error")
  const { hostname, protocol } = url
  const host = hostname.replace(/\.$/, "")
  if (/^https?$/.test(host)) return dead("The URL starts with https:// twice. Keep one.", "error")
  if (reserved.test(host)) return dead(`${excerpt(host)} is a reserved or internal name. Use the public one.`)
  if (/^[\d.]+$|^\[/.test(host)) return dead("The host is an IP address, which may change. Use a domain name.")
  if (!host.includes(".")) return dead(`${excerpt(host)} is not a public name: it has no ending such as .com.`, "error")
  if (madeUp.test(host)) return dead(`${excerpt(host)} looks like a dummy. Use the real URL.`)
  if (/[.,;:!)\]>"'»…]$/.test(text)) {
    return dead("The URL ends with a punctuation mark, probably copied by mistake. Remove it.")
  }
  if (shorteners.has(host)) {
    return {
      severity: "warning",
      code: "short_address",
      message: "Readers and spam filters distrust shortened URLs. Use the full one."
    }
  }
  if (protocol === "http:") {
    return {
      severity: "info",
      code: "insecure_address",
      message: "Browsers warn about http. Use https if the site supports it."
    }
  }
  return undefined
}

const decoded = (text: string): string =>
  text.replaceAll(/%7B/gi, "{").replaceAll(/%7D/gi, "}").replaceAll(/%5B/gi, "[").replaceAll(/%5D/gi, "]")

/** Findings on URLs, at most one each. */
export const addresses = (list: ReadonlyArray<OfferText>): ReadonlyArray<Finding> =>
  list.flatMap(({ path, text }) => {
    const problem = problemOf(text)
    return problem === undefined ? [] : [{ path, ...problem }]
  })
