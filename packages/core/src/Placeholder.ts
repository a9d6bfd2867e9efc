/**
 * Marks of a template that nobody filled in: `{{first_name}}`, `[Name]`, `%COMPANY%`, `<name>`, `TODO`.
 *
 * A mark in brackets counts only when it reads like a name of something, so that `[1]`, `[…]` and `[text](address)` pass.
 * Linear in the length of the text: every pattern has a bound.
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

/** These are words too in lower case. */
const notes = /(?<![\p{L}\p{N}])(?:TODO|TBD|FIXME)(?![\p{L}\p{N}])/gu

/** The marks of a text in their order, each once, at most `most`. */
export const findPlaceholders = (text: string, most = 5): ReadonlyArray<string> => {
  const found = [...text.matchAll(marks), ...text.matchAll(notes)].toSorted((a, b) => a.index - b.index)
  return [...new Set(found.map(([mark]) => mark))].slice(0, most)
}
