/** A name to show for a person of whom only an identifier is known. Source: catalogue 4.1, "Creating needs a name". */
import type { Identity } from "./identity/Identity.ts"

const capitalized = (words: ReadonlyArray<string>): string =>
  words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ")

/** The words of an identifier; those with a digit are what a site added to make it unique. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  text.split(/[-._+]/).filter((word) => word !== "" && !/[0-9]/.test(word))

/**
 * `Grace Hopper` for the slug `grace-hopper-1a2b3` or the address `grace.hopper@example.com`; the address itself when it
 * has no words. Undefined when neither slug nor e-mail is given: ids and tokens show nothing of a person.
 */
export const shownName = (identities: ReadonlyArray<Identity>): string | undefined => {
  const valueOf = (kind: Identity["kind"]) => identities.find((identity) => identity.kind === kind)?.value
  const slug = valueOf("slug")
  const email = valueOf("email")
  const words = [slug, email?.split("@", 1)[0]].map((text) => wordsOf(text ?? "")).find((list) => list.length > 0)
  const name = words === undefined ? (slug ?? email) : capitalized(words)
  return name && [...name].slice(0, 200).join("")
}
