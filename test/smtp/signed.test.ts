/** Threads, one-click unsubscribing and signatures, as the program of a recipient reads and verifies them. */
import { generateKeyPairSync } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as Redacted from "effect/Redacted"
import type { OutgoingEmail } from "#core/email/EmailGateway.ts"
import { buildMessage } from "#providers/smtp/message.ts"

const email: OutgoingEmail = {
  messageId: "eml_2@sender.example",
  from: { name: "Ada", address: "ada@sender.example" },
  to: { name: "Grace", address: "grace@example.com" },
  subject: "Re: Travel",
  text: "Hello",
  html: null
}

const unsubscribe = {
  mailto: "mailto:ada@sender.example?subject=unsubscribe%20T0ken",
  url: "https://svc.example/unsubscribe/T0ken"
}

/** The headers of a message by name, unfolded. */
const headersOf = (message: Buffer): ReadonlyMap<string, string> => {
  const [head = ""] = message.toString().split("\r\n\r\n")
  const lines = head.replaceAll(/\r\n(?=[ \t])/g, "").split("\r\n")
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)])
  )
}

describe("a sent e-mail", () => {
  it("names the thread, the closest mail first in In-Reply-To and last in References", async () => {
    const references = ["newest@example.com", "older@sender.example", "not safe@x", "bad\u2028@x"]
    const headers = headersOf(await buildMessage({ ...email, references }))
    assert.strictEqual(headers.get("in-reply-to"), "<newest@example.com>")
    assert.strictEqual(headers.get("references"), "<older@sender.example> <newest@example.com>")
  })

  it("offers one click only with an address for it", async () => {
    const both = headersOf(await buildMessage({ ...email, unsubscribe }))
    assert.strictEqual(both.get("list-unsubscribe"), `<${unsubscribe.url}>, <${unsubscribe.mailto}>`)
    assert.strictEqual(both.get("list-unsubscribe-post"), "List-Unsubscribe=One-Click")
    const mail = headersOf(await buildMessage({ ...email, unsubscribe: { ...unsubscribe, url: null } }))
    assert.strictEqual(mail.get("list-unsubscribe"), `<${unsubscribe.mailto}>`)
    assert.isUndefined(mail.get("list-unsubscribe-post"))
  })

  // mailauth needs what Node 20 lacks; svc itself runs on Node 22 and newer.
  it.skipIf(Number(process.versions.node.split(".")[0]) < 22)(
    "is signed for its sender's domain, with all that unsubscribing needs, and a change breaks the signature",
    async () => {
      const { authenticate } = await import("mailauth")
      const pair = generateKeyPairSync("rsa", { modulusLength: 2048 })
      const key = Redacted.make(pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString())
      const published = `v=DKIM1; k=rsa; p=${pair.publicKey.export({ type: "spki", format: "der" }).toString("base64")}`
      const message = await buildMessage({ ...email, unsubscribe }, { selector: "svc", key })
      const covered =
        /;\s*h=([^;]*);/
          .exec(headersOf(message).get("dkim-signature") ?? "")?.[1]
          ?.toLowerCase()
          .split(":") ?? []
      assert.includeMembers(covered, ["from", "subject", "list-unsubscribe", "list-unsubscribe-post"])
      const resolver = async (name: string, type: string) => {
        if (name === "svc._domainkey.sender.example" && type === "TXT") return [[published]]
        throw Object.assign(new Error("not found"), { code: "ENOTFOUND" })
      }
      const verdict = async (text: Buffer) => {
        const { dkim } = await authenticate(text, {
          trustReceived: false,
          resolver,
          sender: email.from.address,
          disableArc: true,
          disableBimi: true
        })
        return dkim.results.map(({ signingDomain, status }) => [signingDomain, status.result])
      }
      assert.deepEqual(await verdict(message), [["sender.example", "pass"]])
      const changed = Buffer.from(message.toString().replace("T0ken", "Other"))
      assert.deepEqual(await verdict(changed), [["sender.example", "fail"]])
    }
  )
})
