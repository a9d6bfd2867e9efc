/**
 * E-mail addresses as people paste them, brought into one normal form.
 *
 * Source: G13; reliability 13.
 */
import * as Result from "effect/Result"
import { type Failure, fail } from "../../Failure.ts"
import { cleanPasted, decodePercent, excerpt, hasForbiddenCharacter } from "./pastedText.ts"

/**
 * An e-mail address. `address` is what is stored and written to: the local part as given, the domain as lower-case
 * IDNA A-label. `key` is the identity value: `address` with the local part in lower case. `isRole` marks addresses of a
 * function rather than a person. `looseKey` is a hint for possible duplicates only: `key` without +tag and dots.
 */
export interface EmailAddress {
  readonly address: string
  readonly key: string
  readonly isRole: boolean
  readonly looseKey: string
}

const maxLength = 254

const roles = new Set(
  (
    "abuse accounting accounts admin administrator billing careers contact customerservice enquiries feedback finance " +
    "hello help helpdesk hi hostmaster hr info inquiries invoices it jobs legal mail marketing media news newsletter " +
    "no-reply noreply office orders partners postmaster press privacy recruiting recruitment reception sales security " +
    "service support team webmaster welcome"
  ).split(" ")
)

const invalid = (input: string, reason: string): Result.Result<never, Failure> =>
  Result.fail(fail("INVALID_EMAIL", `${excerpt(input)} ${reason}. Send one plain address such as ada@example.com.`))

/** What is left of `Ada Lovelace <mailto:ada@example.com?subject=Hi>` without its packaging. */
const unpack = (text: string): string => {
  const open = text.endsWith(">") ? text.lastIndexOf("<") : -1
  const inner = open === -1 ? text : text.slice(open + 1, -1).trim()
  if (!/^mailto:/i.test(inner)) return inner
  const recipient = inner.slice("mailto:".length).split("?", 1)[0] ?? ""
  return cleanPasted(decodePercent(recipient) ?? recipient)
}

/** The usual domain: plain letters and digits under a top-level domain of letters; it is its own A-label. */
const plainDomain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z]{2,24}$/

/** The domain as lower-case A-labels without trailing dot; undefined for addresses of machines and broken names. */
const asciiDomain = (domain: string): string | undefined => {
  // What the URL parser would answer, without the parser, which costs ten times as much.
  if (plainDomain.test(domain) && !domain.includes("--")) return domain
  // What would end the host or be decoded inside a URL; everything else is for the URL parser to fold or refuse.
  if (domain.length > maxLength || /[\s"#%/:<>?@[\\\]^|]/.test(domain)) return undefined
  let host: string
  try {
    host = new URL(`http://${domain}`).hostname
  } catch {
    return undefined
  }
  const labels = (host.endsWith(".") ? host.slice(0, -1) : host).split(".")
  const isName = (label: string) =>
    label.length <= 63 && /^[a-z0-9-]+$/.test(label) && !label.startsWith("-") && !label.endsWith("-")
  const last = labels[labels.length - 1] ?? ""
  // The parser folds every numeric host into four decimal numbers.
  return labels.length > 1 && labels.every(isName) && !/^[0-9]+$/.test(last) ? labels.join(".") : undefined
}

const isLocalPart = (local: string): boolean =>
  local !== "" &&
  !/[\s"(),:;<>@[\\\]]/u.test(local) &&
  !hasForbiddenCharacter(local) &&
  !local.startsWith(".") &&
  !local.endsWith(".") &&
  !local.includes("..")

/**
 * The form of an address in which possible duplicates show: its key without +tag and without dots before the @.
 * Different mailboxes on most hosts, so a hint and no identity. Source: G13.
 */
export const looseKeyOf = (key: string): string => {
  const at = key.lastIndexOf("@")
  const local = key.slice(0, at)
  const untagged = local.split("+", 1)[0] || local
  return `${untagged.replaceAll(".", "") || local}${key.slice(at)}`
}

/**
 * Reads one e-mail address; surrounding space, invisible characters, `mailto:`, angle brackets and a display name are
 * dropped. Dots and +tags stay, since they name different mailboxes on most hosts. Role addresses are accepted.
 *
 * Fails with INVALID_EMAIL: no or several @, a quoted or broken local part, a domain that is no host name with at least
 * two labels (IP addresses too), more than 254 characters. Source: G13.
 */
export const normalizeEmail = (input: string): Result.Result<EmailAddress, Failure> => {
  const text = unpack(cleanPasted(input))
  const at = text.indexOf("@")
  if (at === -1) return invalid(input, "has no @")
  if (at !== text.lastIndexOf("@")) return invalid(input, "has more than one @")
  if (text.length > maxLength + 1) return invalid(input, `is longer than ${maxLength} characters`)
  const local = text.slice(0, at)
  if (!isLocalPart(local)) return invalid(input, "has a part before the @ that cannot be used")
  const domain = asciiDomain(text.slice(at + 1))
  if (domain === undefined) return invalid(input, "has a part after the @ that is no domain name")
  const folded = local.toLowerCase().normalize("NFC")
  const address = `${local}@${domain}`
  const key = `${folded}@${domain}`
  if (Math.max(address.length, key.length) > maxLength) return invalid(input, `is longer than ${maxLength} characters`)
  const isRole = roles.has(folded.split("+", 1)[0] ?? "")
  return Result.succeed({ address, key, isRole, looseKey: looseKeyOf(key) })
}
