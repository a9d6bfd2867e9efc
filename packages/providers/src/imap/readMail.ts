/** Reading the source text of mails, with mailparser and email-reply-parser. */
import { InvalidInput, optionalPackage } from "@svc/core"
import { type DeliveryStatus, type InboundMail, MailReader } from "@svc/core/email"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AddressObject, Attachment, ParsedMail } from "mailparser"

/** The parsers. Bundlers pass over an import that is awaited where its failure is caught. */
const loadParsers = async () => {
  try {
    const { simpleParser } = await import("mailparser")
    const { default: ReplyParser } = await import("email-reply-parser")
    return { simpleParser, replies: new ReplyParser() }
  } catch (cause) {
    return Promise.reject(cause)
  }
}

type Parsers = Awaited<ReturnType<typeof loadParsers>>

/** Longer texts are cut before anything is searched in them. */
const maxTextLength = 100_000

/** What is searched for quoted mails. */
const maxQuotedLength = 20_000

/** Ids in angle brackets, without the brackets. */
const idsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/<([^<>\s]{1,900})>/g)].map(([, id = ""]) => id)

const addressesOf = (given: AddressObject | ReadonlyArray<AddressObject> | undefined) =>
  [given ?? []].flat().flatMap(({ value }) => value)

/** Every header by its name, in lower case. */
const headersOf = ({ headerLines }: ParsedMail): ReadonlyMap<string, string> => {
  const headers = new Map<string, string>()
  for (const { key, line } of headerLines) {
    const value = line
      .slice(line.indexOf(":") + 1)
      .replace(/\r?\n[ \t]+/g, " ")
      .trim()
    const known = headers.get(key)
    headers.set(key, known === undefined ? value : `${known}\n${value}`)
  }
  return headers
}

/** The groups of fields of a report (RFC 3464, RFC 5965), by names in lower case. */
const fieldGroups = (report: string): ReadonlyArray<ReadonlyMap<string, string>> =>
  report
    .replace(/\r\n?/g, "\n")
    .replace(/\n[ \t]+/g, " ")
    .split(/\n\s*\n/)
    .map(
      (group) =>
        new Map(
          group.split("\n").flatMap((line) => {
            const colon = line.indexOf(":")
            return colon < 1 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]]
          })
        )
    )

/** A value without its type: `rfc822; ada@example.com`. */
const withoutType = (value = ""): string => value.slice(value.indexOf(";") + 1).trim()

const addressIn = (value: string | undefined): string => withoutType(value).replace(/^<(.*)>$/, "$1")

const statusesIn = (report: string): ReadonlyArray<DeliveryStatus> =>
  fieldGroups(report).flatMap((fields) => {
    const action = fields.get("action")
    const recipient = addressIn(fields.get("final-recipient") ?? fields.get("original-recipient"))
    if (action === undefined && recipient === "") return []
    return [
      {
        recipient: addressIn(fields.get("original-recipient")) || recipient,
        action: /^\w*/.exec(action?.toLowerCase() ?? "")?.[0] ?? "",
        status: /\d\.\d{1,3}\.\d{1,3}/.exec(fields.get("status") ?? "")?.[0] ?? "",
        diagnostic: withoutType(fields.get("diagnostic-code"))
      }
    ]
  })

const textOf = ({ content }: Attachment): string => content.subarray(0, maxTextLength).toString("utf8")

const isReport = ({ contentType }: Attachment): boolean =>
  /^(?:message\/(?:global-)?(?:delivery-status|disposition-notification|feedback-report|headers)|text\/rfc822-headers)$/.test(
    contentType
  )

const isMail = ({ contentType }: Attachment): boolean => /^message\/(?:global|rfc822)$/.test(contentType)

const ofType = (mail: ParsedMail, type: RegExp): string =>
  mail.attachments
    .filter(({ contentType }) => type.test(contentType))
    .map(textOf)
    .join("\n\n")

/** What the author wrote, and the mails that are quoted below or between it. */
const split = (replies: Parsers["replies"], text: string) => {
  const read = replies.read(text.slice(0, maxQuotedLength))
  const visible = read
    .getFragments()
    .filter((fragment) => !fragment.isQuoted())
    .map(String)
    .join("\n")
    .trim()
  const quoted = `${read.getQuotedText()}${text.slice(maxQuotedLength)}`.trim()
  // An answer between quoted lines, or nothing but a quotation: then all of it is the text.
  return visible === "" ? { text: text.trim(), quoted: "" } : { text: visible, quoted }
}

/** All that follows the headers: of a mail whose parts cannot be told apart. */
const rawBody = (source: Uint8Array): string => {
  const text = Buffer.from(source.subarray(0, maxTextLength)).toString("utf8")
  const begin = /\r?\n\r?\n/.exec(text)
  return begin === null ? "" : text.slice(begin.index).trim()
}

const mailOf = (mail: ParsedMail, source: Uint8Array, { replies }: Parsers): InboundMail => {
  const headers = headersOf(mail)
  const reports = mail.attachments.some(isReport)
  const feedback = fieldGroups(ofType(mail, /feedback-report$/))[0]?.get("feedback-type")
  const isBroken = !mail.text && !mail.html && mail.attachments.length === 0
  const body = isBroken ? rawBody(source) : (mail.text ?? "").slice(0, maxTextLength)
  const enclosed = ofType(mail, /^(?:message\/(?:global|global-headers|rfc822)|text\/rfc822-headers)$/)
  const [from] = addressesOf(mail.from)
  const date = mail.date?.getTime() ?? Number.NaN
  const references = [
    headers.get("in-reply-to") ?? "",
    ...idsIn(headers.get("references") ?? "")
      .toReversed()
      .map((id) => `<${id}>`)
  ]
  return {
    messageId: idsIn(headers.get("message-id") ?? "")[0] ?? null,
    references: [...new Set(idsIn(references.join(" ")))].slice(0, 100),
    from: from?.address ? { name: from.name, address: from.address } : null,
    to: [
      ...addressesOf(mail.to)
        .concat(addressesOf(mail.cc))
        .flatMap(({ address = "" }) => (address === "" ? [] : [address])),
      ...["delivered-to", "x-original-to"].flatMap((name) => headers.get(name)?.split("\n") ?? [])
    ],
    subject: mail.subject ?? "",
    date: Number.isNaN(date) ? null : new Date(date).toISOString(),
    ...split(replies, body),
    headers,
    attachments: mail.attachments.flatMap((one) =>
      isReport(one) || (reports && isMail(one)) ? [] : [(one.filename ?? one.contentType).slice(0, 200)]
    ),
    statuses: statusesIn(ofType(mail, /delivery-status$/)),
    feedback: feedback?.toLowerCase() ?? null,
    reported: idsIn(/^message-id:(.*(?:\r?\n[ \t].*)?)/im.exec(enclosed)?.[1] ?? "")[0] ?? null
  }
}

const read = Effect.fnUntraced(function* (source: Uint8Array) {
  const parsers = yield* optionalPackage("mailparser email-reply-parser", "Reading mails", loadParsers)
  const options = { keepDeliveryStatus: true, skipTextToHtml: true, skipTextLinks: true, skipImageLinks: true }
  return yield* Effect.tryPromise({
    try: async () => mailOf(await parsers.simpleParser(Buffer.from(source), options), source, parsers),
    catch: () =>
      new InvalidInput({ message: "The body is no mail. Send its source text, as the server received it (RFC 5322)." })
  })
})

/** Reads mails in this process. The parsers are loaded with the first one. */
export const mailReaderLayer: Layer.Layer<MailReader> = Layer.succeed(MailReader, { read })
