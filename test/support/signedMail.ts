/** Mails as a host's own webhook posts them. */
import { createHmac } from "node:crypto"

/** The headers of a signed mail; `seconds` of the clock is now unless told otherwise. */
export const signedHeaders = (
  organizationId: string,
  secret: string,
  source: string | Uint8Array,
  seconds = Math.floor(Date.now() / 1_000)
): Readonly<Record<string, string>> => {
  const id = "msg_1"
  const key = Buffer.from(secret.slice("whsec_".length), "base64")
  const mark = createHmac("sha256", key).update(`${id}.${seconds}.`).update(source).digest("base64")
  return {
    "content-type": "message/rfc822",
    "svc-organization": organizationId,
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": `v1,${mark}`
  }
}

/** The source text of a mail; `more` are further headers. */
export const mailText = (
  from: string,
  to: string,
  subject: string,
  text: string,
  more: ReadonlyArray<string> = []
): string =>
  [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Date: ${new Date().toUTCString()}`,
    `Message-ID: <${subject.replaceAll(/\W/g, "")}.${text.length}@example.com>`,
    ...more,
    "",
    text
  ].join("\r\n")
