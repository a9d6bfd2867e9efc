/** Identifiers of people in normal form. */
import { Failure } from "./Failure.ts"

/** An identifier. */
export interface Identity {
  readonly kind: "slug" | "email"
  readonly value: string
}

/** What was read from an input; `email` and `linkedinUrl` are to be shown. */
export interface ReadIdentities {
  readonly identities: ReadonlyArray<Identity>
  readonly email: string | undefined
  readonly linkedinUrl: string | undefined
}

const address = /^([^\s"(),:;<>@[\\\]]{1,64})@((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z]{2,24})$/i
const profile = /^(?:https?:\/\/)?(?:[a-z]{2,3}\.)?linkedin\.com\/in\/([^/?#\s]{3,100})(?:[/?#].*)?$/i

const readEmail = (text: string): { readonly shown: string; readonly key: string } => {
  const [, local, domain] = address.exec(text.trim()) ?? []
  if (local === undefined || domain === undefined || local.startsWith(".") || local.endsWith(".") || text.length > 254)
    throw new Failure(400, "INVALID_EMAIL", "email: send a plain email address such as ada@example.com.")
  const host = domain.toLowerCase()
  return { shown: `${local}@${host}`, key: `${local.toLowerCase().normalize("NFC")}@${host}` }
}

const readSlug = (text: string): string => {
  const [, segment] = profile.exec(text.trim()) ?? []
  const decoded = segment?.includes("%") ? decodeURIComponent(segment) : segment
  if (decoded === undefined)
    throw new Failure(
      400,
      "NOT_A_PROFILE_URL",
      "linkedin_url: send a URL such as https://www.linkedin.com/in/ada-lovelace."
    )
  return decoded.toLowerCase().normalize("NFC")
}

/** Reads the identifiers of an input, the strongest first. Fails with 400. */
export const readIdentities = (
  email: string | null | undefined,
  linkedinUrl: string | null | undefined
): ReadIdentities => {
  const slug = linkedinUrl ? readSlug(linkedinUrl) : undefined
  const mail = email ? readEmail(email) : undefined
  const identities: Array<Identity> = []
  if (slug !== undefined) identities.push({ kind: "slug", value: slug })
  if (mail !== undefined) identities.push({ kind: "email", value: mail.key })
  return {
    identities,
    email: mail?.shown,
    linkedinUrl: slug === undefined ? undefined : `https://www.linkedin.com/in/${encodeURIComponent(slug)}`
  }
}

/** The domain of an address and those above it, without the top-level one. */
export const domainsOf = (email: string | undefined): ReadonlyArray<string> => {
  const labels = email === undefined ? [] : email.slice(email.lastIndexOf("@") + 1).split(".")
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join("."))
}
