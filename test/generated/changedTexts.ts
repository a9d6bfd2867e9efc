/** Which texts of an input an output shows changed. */
import { isNode } from "../support/schemaArbitrary.ts"

/** Fields with a normal form of their own, and those by which something else is named. */
const isName = (field: string): boolean =>
  ["email", "linkedin_url", "linkedinUrl", "url", "query", "domain", "approval", "mutate"].includes(field) ||
  /(_id|Id|[hH]andle|_at|At)$/.test(field)

const camel = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Objects in an output, the outermost first, lists left out. */
const objectsIn = (value: unknown): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  isNode(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : []

/** The fields of `input` whose text an output of the same name shows otherwise than sent, trimmed or in NFC. */
export const changedTexts = (input: Readonly<Record<string, unknown>>, output: unknown): ReadonlyArray<string> =>
  Object.entries(input).flatMap(([name, sent]) => {
    // White space alone says nothing, and instants have one form.
    if (typeof sent !== "string" || isName(name) || sent.trim() === "" || /^\d{4}-\d\d-\d\dT/.test(sent)) return []
    // Commands show a mission as active or archived only.
    if (name === "status" && (sent === "ACTIVE" || sent === "DRAFT")) return []
    const shown = objectsIn(output).flatMap((object) => {
      const values = [object[name], object[camel(name)], object[`import_${name}`]]
      return values.filter((value) => typeof value === "string")
    })
    const forms = [sent, sent.trim(), sent.normalize("NFC"), sent.trim().normalize("NFC")]
    return shown.length === 0 || shown.some((text) => forms.includes(text))
      ? []
      : [`${name}: sent ${JSON.stringify(sent.slice(0, 80))}, shown ${JSON.stringify(shown[0]?.slice(0, 80))}`]
  })
