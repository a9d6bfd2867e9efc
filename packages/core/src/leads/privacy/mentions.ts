/**
 * Whether a stored document mentions a person: finds records without a lead id when the person is erased.
 *
 * Identifiers in the document are parsed like those of callers and compared as values: the custom id "1" only matches in
 * the field of a custom id, and an address inside a longer one does not match. Names are not compared.
 */
import * as Result from "effect/Result"
import { normalizeEmail } from "../../kernel/schema/Email.ts"
import { unwrap } from "../../kernel/schema/TextFields.ts"
import { identityKey } from "../identity/Identity.ts"
import { type IdentityFields, identifierNames, readIdentityInput } from "../identity/IdentityInput.ts"
import { parseLinkedInProfile } from "../identity/LinkedInProfile.ts"
import type { Suppressible } from "../suppression/Suppression.ts"

/** The lead ids and identifiers of a person. */
interface NamedPerson {
  readonly leadIds: ReadonlyArray<string>
  readonly identifiers: ReadonlyArray<Suppressible>
}

/** The columns of a file with their lead fields, for documents with cells by column. */
type Columns = ReadonlyArray<{ readonly name: string; readonly field: string | null }>

const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, "")

const fields = new Map(identifierNames.map((field) => [plain(field), field]))

// Tokens always match their member, whatever the deployment's options.
const options = { deriveMemberId: true }

/** A word without surrounding punctuation. */
const bare = (word: string): string => unwrap(word).replace(/[.:!?…*]+$/u, "")

const named = (word: string): ReadonlyArray<Suppressible> => {
  if (/linkedin\.com|^urn(?::|%3a)|^a[a-p].aa/i.test(word)) {
    return Result.match(parseLinkedInProfile(word, options), {
      onFailure: () => [],
      onSuccess: ({ identities }) => identities
    })
  }
  if (!word.includes("@")) return []
  const address = Result.getOrUndefined(normalizeEmail(word.slice(word.lastIndexOf(":") + 1)))
  return address === undefined ? [] : [{ kind: "email", value: address.key }]
}

/** Every identifier in a text. `field` is the lead field that it is the value of. */
const identifiersOf = (text: string, field: keyof IdentityFields | undefined): ReadonlyArray<Suppressible> => {
  const read = field === undefined ? undefined : readIdentityInput({ [field]: text }, options)
  const own = read !== undefined && Result.isSuccess(read) ? read.success.identities : []
  return [...own, ...text.split(/[\s"<>()[\]{},;|“”„«»]+/).flatMap((word) => named(bare(word)))]
}

const fieldOf = (columns: Columns, key: string) =>
  fields.get(plain(columns.find(({ name }) => name === key)?.field ?? key))

/** Every identifier in the cells of a row. */
export const identifiersIn = (cells: Readonly<Record<string, string>>, columns: Columns): ReadonlyArray<Suppressible> =>
  Object.entries(cells).flatMap(([name, cell]) => identifiersOf(cell, fieldOf(columns, name)))

/** Makes a predicate for one person. */
export const mentions = ({ identifiers, leadIds }: NamedPerson) => {
  const keys = new Set(identifiers.map(identityKey))
  const ids = new Set(leadIds)

  const isIn = (text: string, field?: keyof IdentityFields): boolean =>
    text.match(/ld_[0-9A-Z]+/g)?.some((id) => ids.has(id)) === true ||
    identifiersOf(text, field).some((one) => keys.has(identityKey(one)))

  /** `columns` is given when the document is a row of a file. */
  const isNamed = (document: unknown, columns: Columns = [], key = ""): boolean => {
    if (typeof document === "string" || typeof document === "number") {
      return isIn(String(document), fieldOf(columns, key))
    }
    if (Array.isArray(document)) return document.some((one) => isNamed(one, columns, key))
    return Object.entries(Object(document)).some(([name, value]) => isIn(name) || isNamed(value, columns, name))
  }
  return isNamed
}
