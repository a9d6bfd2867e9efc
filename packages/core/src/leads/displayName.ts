/** A display name for a person known only by identifiers. */
import type { Identity } from "./identity/Identity.ts"

const capitalized = (words: ReadonlyArray<string>): string =>
  words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ")

/** The words of an identifier, without those containing digits, which sites add to make it unique. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  text.split(/[-._+]/).filter((word) => word !== "" && !/[0-9]/.test(word))

/**
 * `Grace Hopper` for the slug `grace-hopper-1a2b3` or the address `grace.hopper@example.com`; the identifier itself when
 * it has no words. Undefined without slug and email.
 */
export const displayName = (identities: ReadonlyArray<Identity>): string | undefined => {
  const valueOf = (kind: Identity["kind"]) => identities.find((identity) => identity.kind === kind)?.value
  const slug = valueOf("slug")
  const email = valueOf("email")
  const words = [slug, email?.split("@", 1)[0]].map((text) => wordsOf(text ?? "")).find((list) => list.length > 0)
  const name = words === undefined ? (slug ?? email) : capitalized(words)
  return name && [...name].slice(0, 200).join("")
}
