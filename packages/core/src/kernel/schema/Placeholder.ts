/**
 * Finds placeholders that nobody filled in: `{{first_name}}`, `[Name]`, `%COMPANY%`, `<name>`, `TODO`.
 *
 * Text in brackets counts only if it reads like a name, so `[1]`, `[…]` and `[text](url)` do not. Linear in the length of
 * the text: every pattern is bounded.
 */

const names = `(?:first|last|full|your|company|prospect|lead)?[ _-]?(?:name|company|title|role|industry|city|date|link|url)`

const patterns = [
  String.raw`\$?\{\{[^{}\n]{0,80}\}\}`,
  String.raw`\$?\{[\p{L}_][\p{L}\p{N}_ .-]{0,40}\}`,
  String.raw`\[(?!sic\])[\p{L}_][\p{L}\p{N}_ .'’/-]{1,40}\](?!\()`,
  String.raw`(?<![\p{N}%])%[\p{L}_]{2,40}%`,
  `<{1,2}${names}>{1,2}`,
  String.raw`(?<![\p{L}\p{N}_])__[\p{L}][\p{L}_]{1,30}__(?![\p{L}\p{N}_])`,
  String.raw`(?<![\p{L}\p{N}])(?:x{3,20}|lorem ipsum|insert [\p{L} ]{1,30} here)(?![\p{L}\p{N}])`
]

const marks = new RegExp(patterns.join("|"), "giu")

/** Only in upper case: in lower case they are ordinary words. */
const notes = /(?<![\p{L}\p{N}])(?:TODO|TBD|FIXME)(?![\p{L}\p{N}])/gu

/** The placeholders of a text in order, without repeats, at most `max`. */
export const findPlaceholders = (text: string, max = 5): ReadonlyArray<string> => {
  const found = [...text.matchAll(marks), ...text.matchAll(notes)].toSorted((a, b) => a.index - b.index)
  return [...new Set(found.map(([mark]) => mark))].slice(0, max)
}
