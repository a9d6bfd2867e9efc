/** Encodes untrusted texts as headers (RFC 2047, RFC 5322). */
import type { Mailbox } from "@svc/core/email"

/** Maximum characters of a line with encoded words, and maximum bytes of text in one word. */
const lineLength = 76
const bytesPerWord = 36

/** Joins parts with spaces, folding lines that would become too long. */
const header = (name: string, parts: ReadonlyArray<string>): string => {
  const lines = [`${name}: ${parts[0] ?? ""}`]
  for (const part of parts.slice(1)) {
    const longer = `${lines.at(-1)} ${part}`
    if (longer.length <= lineLength) lines[lines.length - 1] = longer
    else lines.push(` ${part}`)
  }
  return `${lines.join("\r\n")}\r\n`
}

/** Encoded words, split between characters. Readers drop the white space between them. */
const encodedWords = (text: string): ReadonlyArray<string> => {
  const words = [""]
  for (const character of text) {
    const longer = `${words.at(-1)}${character}`
    if (Buffer.byteLength(longer) <= bytesPerWord) words[words.length - 1] = longer
    else words.push(character)
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString("base64")}?=`)
}

/** Printable ASCII without anything to decode or trim. */
const isPlain = (text: string): boolean => /^(?:[!-~](?:[ -~]*[!-~])?)?$/.test(text) && !text.includes("=?")

/** A text header, such as the subject. */
export const textHeader = (name: string, text: string): string =>
  header(name, isPlain(text) ? [text] : encodedWords(text))

/** An address header with a display name. */
export const addressHeader = (name: string, { address, name: shown }: Mailbox): string => {
  const phrase = /^\w+(?: \w+)*$/.test(shown) ? [shown] : encodedWords(shown)
  return header(name, [...(shown === "" ? [] : phrase), `<${address}>`])
}
