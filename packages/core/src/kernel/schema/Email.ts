/** Normalizes e-mail addresses as people paste them. */
import * as Result from "effect/Result"

import { InvalidEmail } from "../failure/failures.ts"
import { cleanPasted, excerpt, hasForbiddenCharacter } from "./TextFields.ts"
import { decodePercent, parseUrl } from "./TextRules.ts"

/**
 * An e-mail address. `address` is stored and sent to: the local part as given, the domain as a lower-case IDNA A-label.
 * `key` is the identity value: `address` with the local part in lower case.
 */
interface EmailAddress {
  readonly address: string
  readonly key: string
}

const maxLength = 254

const invalid = (input: string, reason: string): Result.Result<never, InvalidEmail> =>
  Result.fail(
    new InvalidEmail({ message: `${excerpt(input)} ${reason}. Send a plain email address such as ada@example.com.` })
  )

/** The address in `Ada Lovelace <mailto:ada@example.com?subject=Hi>`. */
const unpack = (text: string): string => {
  const open = text.endsWith(">") ? text.lastIndexOf("<") : -1
  const inner = open === -1 ? text : text.slice(open + 1, -1).trim()
  if (!/^mailto:/i.test(inner)) return inner
  const recipient = inner.slice("mailto:".length).split("?", 1)[0] ?? ""
  return cleanPasted(decodePercent(recipient) ?? recipient)
}

/** The usual domain: plain letters and digits under a top-level domain of letters, which is its own A-label. */
const plainDomain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z]{2,24}$/

/** The domain as lower-case A-labels without a trailing dot; undefined for IP addresses and invalid names. */
const asciiDomain = (domain: string): string | undefined => {
  // The URL parser would return the same at ten times the cost.
  if (plainDomain.test(domain) && !domain.includes("--")) return domain
  // Characters that would end the host or be decoded in a URL; the URL parser handles everything else.
  if (domain.length > maxLength || /[\s"#%/:<>?@[\\\]^|]/.test(domain)) return undefined
  const host = parseUrl(`http://${domain}`)?.hostname
  if (host === undefined) return undefined
  const labels = (host.endsWith(".") ? host.slice(0, -1) : host).split(".")
  const isName = (label: string) =>
    label.length <= 63 && /^[a-z0-9-]+$/.test(label) && !label.startsWith("-") && !label.endsWith("-")
  const last = labels[labels.length - 1] ?? ""
  // The parser turns every numeric host into four decimal numbers.
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
 * The key without +tag and without dots before the @, in which possible duplicates are equal. On most hosts these are
 * different mailboxes, so it is a hint, not an identity.
 */
export const looseKeyOf = (key: string): string => {
  const at = key.lastIndexOf("@")
  const local = key.slice(0, at)
  const untagged = local.split("+", 1)[0] || local
  return `${untagged.replaceAll(".", "") || local}${key.slice(at)}`
}

/**
 * Normalizes one e-mail address; surrounding space, invisible characters, `mailto:`, angle brackets and a display name are
 * removed. Dots and +tags stay, since they distinguish mailboxes on most hosts. Addresses of a function, such as info@, are accepted.
 *
 * Fails with INVALID_EMAIL for no or several @, a quoted or invalid local part, a domain that is not a host name of at
 * least two labels (such as an IP address), and more than 254 characters.
 */
export const normalizeEmail = (input: string): Result.Result<EmailAddress, InvalidEmail> => {
  const text = unpack(cleanPasted(input))
  const at = text.indexOf("@")
  if (at === -1) return invalid(input, "has no @")
  if (at !== text.lastIndexOf("@")) return invalid(input, "has more than one @")
  if (text.length > maxLength + 1) return invalid(input, `is longer than ${maxLength} characters`)
  const local = text.slice(0, at)
  if (!isLocalPart(local)) return invalid(input, "has an invalid part before the @")
  const domain = asciiDomain(text.slice(at + 1))
  if (domain === undefined) return invalid(input, "has an invalid domain after the @")
  const address = `${local}@${domain}`
  const key = `${local.toLowerCase().normalize("NFC")}@${domain}`
  if (Math.max(address.length, key.length) > maxLength) return invalid(input, `is longer than ${maxLength} characters`)
  return Result.succeed({ address, key })
}
