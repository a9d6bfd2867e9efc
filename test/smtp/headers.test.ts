/** What a reader of an e-mail is shown of its headers is what was written, whatever that was. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { OutgoingEmail } from "#core/email/EmailGateway.ts"
import { buildMessage, unsafePart } from "#providers/smtp/message.ts"
import { effort } from "../support/effort.ts"

/** Encoded words decoded as RFC 2047 says, and once more where a sloppy reader would: anywhere. */
const decoded = (value: string): string => {
  const joined = value.replaceAll(/(=\?[^?\s]+\?[bq]\?[^?\s]*\?=)\s+(?==\?[^?\s]+\?[bq]\?[^?\s]*\?=)/gi, "$1")
  return joined.replaceAll(/=\?([^?\s]+)\?([bq])\?([^?\s]*)\?=/gi, (_, charset: string, kind: string, text: string) => {
    assert.strictEqual(charset.toLowerCase(), "utf-8")
    const bytes =
      kind.toLowerCase() === "b"
        ? Buffer.from(text, "base64")
        : Buffer.from(text.replaceAll("_", " ").replaceAll(/=([0-9A-F]{2})/gi, "%$1"))
    // Each word stands for whole characters.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  })
}

/** Headers by name, as a reader unfolds them. */
const headersOf = (message: Buffer): ReadonlyMap<string, string> => {
  const [head = ""] = message.toString().split("\r\n\r\n")
  for (const line of head.split("\r\n")) {
    assert.isAtMost(line.length, /=\?UTF-8/.test(line) ? 76 : 600, line)
    assert.notMatch(line, /[\r\n\u0085\u2028\u2029]/)
  }
  const lines = head.replaceAll(/\r\n(?=[ \t])/g, "").split("\r\n")
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]))
}

const pieces = fc.constantFrom(
  "=?utf-8?B?Ym9vIQ==?=",
  "=?UTF-8?Q?boo=21?=",
  "=?iso-8859-1?q?",
  "?=",
  "=?",
  " ",
  "  ",
  "\t",
  "ß",
  "漢字",
  "👩‍🚀",
  "a",
  '"',
  "\\",
  "<eve@else.example>",
  ",",
  ";",
  ":",
  "(comment)",
  "Bcc:",
  "\u200b",
  "\u202e"
)
const text = fc.oneof(
  fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join("")),
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc.string({ unit: "binary", maxLength: 60 })
)

const email = (subject: string, sender: string, addressee: string): OutgoingEmail => ({
  messageId: "eml_1@sender.example",
  from: { name: sender, address: "ada@sender.example" },
  to: { name: addressee, address: "grace@example.com" },
  subject,
  text: "Hello",
  html: null
})

describe("headers of an email", () => {
  it("show subject and names as they were written, or the email is refused", async () => {
    await fc.assert(
      fc.asyncProperty(text, text, text, async (...given) => {
        const [subject, sender, addressee] = given
        const one = email(subject, sender, addressee)
        const isSafe = given.every((each) => each.isWellFormed() && !/(?!\t)[\p{Cc}\u2028\u2029]/u.test(each))
        assert.strictEqual(unsafePart(one) === undefined, isSafe)
        if (!isSafe) return
        const headers = headersOf(await buildMessage(one))
        assert.strictEqual(decoded(headers.get("Subject") ?? ""), subject)
        const mailbox = (name: string, address: string) => `${name}${name === "" ? "" : " "}<${address}>`
        assert.strictEqual(decoded(headers.get("From") ?? ""), mailbox(sender, "ada@sender.example"))
        assert.strictEqual(decoded(headers.get("To") ?? ""), mailbox(addressee, "grace@example.com"))
        const names = ["Content-Transfer-Encoding", "Content-Type", "Date", "From", "MIME-Version", "Message-ID"]
        assert.deepStrictEqual([...headers.keys()].toSorted(), [...names, "Subject", "To"])
      }),
      { numRuns: effort(1_000) }
    )
  })

  it("are as plain as what they say", async () => {
    const headers = headersOf(await buildMessage(email("A few questions (3), Grace", "Ada Martin", "")))
    assert.strictEqual(headers.get("Subject"), "A few questions (3), Grace")
    assert.strictEqual(headers.get("From"), "Ada Martin <ada@sender.example>")
    assert.strictEqual(headers.get("To"), "<grace@example.com>")
  })
})
