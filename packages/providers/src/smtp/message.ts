/** An e-mail as the text that is transmitted (RFC 5322), with nodemailer. */
import { buffer } from "node:stream/consumers"
import type { Mailbox, OutgoingEmail } from "@svc/core/email"
import * as Redacted from "effect/Redacted"

/** The parts of nodemailer that are used. Bundlers pass over an import that is awaited where its failure is caught. */
const loadParts = async () => {
  try {
    const composer = await import("nodemailer/lib/mail-composer")
    const dkim = await import("nodemailer/lib/dkim")
    return { MailComposer: composer.default, Dkim: dkim.default }
  } catch (cause) {
    return Promise.reject(cause)
  }
}

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
const textHeader = (name: string, text: string): string => header(name, isPlain(text) ? [text] : encodedWords(text))

/** An address header with a display name. */
const addressHeader = (name: string, { address, name: shown }: Mailbox): string => {
  const phrase = /^\w+(?: \w+)*$/.test(shown) ? [shown] : encodedWords(shown)
  return header(name, [...(shown === "" ? [] : phrase), `<${address}>`])
}

/** Line breaks in any reader, and other control characters except the tab. */
const controls = /(?!\t)[\p{Cc}\u2028\u2029]/u

/** An id, or an address of a header in angle brackets. */
const bracketed = /^[^\s<>]{1,900}$/u

/** A plain address; quoted names before the `@` and everything else unusual are refused. */
const plainAddress = /^[^\s@<>",;:\\()[\]]{1,64}@[^\s@<>",;:\\()[\]]{1,253}$/u

/** The part of an e-mail that could inject a header; undefined when none can. */
export const unsafePart = ({ from, messageId, subject, to }: OutgoingEmail): string | undefined => {
  const isAddress = ({ address }: Mailbox) => plainAddress.test(address) && !controls.test(address)
  if (!isAddress(from)) return "the sender's address"
  if (!isAddress(to)) return "the recipient's address"
  if (controls.test(from.name)) return "the sender's name"
  if (controls.test(to.name)) return "the recipient's name"
  if (controls.test(subject)) return "the subject"
  return plainAddress.test(messageId) ? undefined : "the message id"
}

/** A key that e-mails are signed with (RFC 6376), for the domain of their sender. */
export interface DkimKey {
  /** Where the public key is published: `SELECTOR._domainkey.DOMAIN`. */
  readonly selector: string
  /** The private key, in PEM. */
  readonly key: Redacted.Redacted
}

/** What a signature covers: all that a reader is shown or acts on (RFC 6376, RFC 8058). */
const signedHeaders =
  "from:to:subject:date:message-id:in-reply-to:references:mime-version:content-type:content-transfer-encoding:" +
  "list-unsubscribe:list-unsubscribe-post"

/** The thread (RFC 5322) and how to unsubscribe (RFC 2369, RFC 8058). */
const moreHeaders = ({ references = [], unsubscribe }: OutgoingEmail): string => {
  const ids = references.filter((id) => bracketed.test(id) && !controls.test(id)).map((id) => `<${id}>`)
  const [closest] = ids
  const thread = closest ? header("In-Reply-To", [closest]) + header("References", ids.toReversed()) : ""
  if (unsubscribe === undefined) return thread
  const { mailto, url } = unsubscribe
  const ways = [...(url === null ? [] : [`<${url}>,`]), `<${mailto}>`]
  const oneClick = url === null ? "" : header("List-Unsubscribe-Post", ["List-Unsubscribe=One-Click"])
  return thread + header("List-Unsubscribe", ways) + oneClick
}

/** The message, signed if there is a key. Never reads files or URLs. */
export const buildMessage = async (email: OutgoingEmail, dkim?: DkimKey): Promise<Buffer> => {
  const { from, html, messageId, subject, text, to } = email
  const { Dkim, MailComposer } = await loadParts()
  const composed = new MailComposer({
    text,
    ...(html === null ? {} : { html }),
    messageId: `<${messageId}>`,
    disableFileAccess: true,
    disableUrlAccess: true
  })
  // The composer leaves encoded words in texts unchanged, and readers would decode them.
  const written =
    addressHeader("From", from) + addressHeader("To", to) + textHeader("Subject", subject) + moreHeaders(email)
  const message = Buffer.concat([Buffer.from(written), await composed.compile().build()])
  if (dkim === undefined) return message
  const signer = new Dkim({
    domainName: from.address.slice(from.address.lastIndexOf("@") + 1),
    keySelector: dkim.selector,
    privateKey: Redacted.value(dkim.key),
    headerFieldNames: signedHeaders
  })
  return buffer(signer.sign(message))
}
