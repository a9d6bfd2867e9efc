/** Our own e-mail holds the contract that is published for that of others, and broken gateways are found. */
import { assert, describe, it } from "@effect/vitest"
import { EmailGateway, type EmailOutcome, type OutgoingEmail } from "@svc/core/email"
import { SimulatedEmail } from "@svc/memory"
import { type EmailContract, emailContract } from "@svc/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { SMTPServer } from "smtp-server"
import { layer as smtpLayer } from "#providers/smtp/SmtpEmail.ts"
import { parseSmtpUrl } from "#providers/smtp/SmtpUrl.ts"

type Send = (email: OutgoingEmail) => Effect.Effect<EmailOutcome>

/** A mail server on loopback, which knows nobody whose name begins with `nobody`. */
const smtp: EmailContract = {
  refused: "nobody@example.com",
  open: async () => {
    const ids: Array<string> = []
    const server = new SMTPServer({
      disabledCommands: ["STARTTLS"],
      authOptional: true,
      onRcptTo: ({ address }, _, callback) =>
        callback(address.startsWith("nobody") ? Object.assign(new Error("No such user"), { responseCode: 550 }) : null),
      onData: (stream, _, callback) => {
        let raw = ""
        stream.on("data", (chunk) => {
          raw += String(chunk)
        })
        stream.on("end", () => {
          ids.push(/^Message-ID: <(.*)>/im.exec(raw)?.[1] ?? "none")
          callback()
        })
      }
    })
    const port = await new Promise<number>((resolve) => {
      const listening = server.listen(0, "127.0.0.1", () => resolve(Object(listening.address()).port))
    })
    return {
      gateway: smtpLayer(Result.getOrThrow(parseSmtpUrl(`smtp://127.0.0.1:${port}`))),
      delivered: () => ids,
      close: () => new Promise<void>((resolve) => server.close(() => resolve()))
    }
  }
}

/** The simulated gateway with what it accepts written down, and a change. */
const simulated = (change: (send: Send) => Send = (send) => send): EmailContract => ({
  refused: "grace-blocked@example.com",
  open: () => {
    const ids: Array<string> = []
    const recorded = Layer.effect(
      EmailGateway,
      Effect.map(EmailGateway, ({ send }) => ({
        send: change((email) =>
          Effect.tap(send(email), ({ _tag }) =>
            Effect.sync(() => {
              if (_tag === "Confirmed") ids.push(email.messageId)
            })
          )
        )
      }))
    )
    return { gateway: Layer.provide(recorded, SimulatedEmail.layer), delivered: () => ids }
  }
})

for (const [name, contract] of Object.entries({ SMTP: smtp, "the simulated mail": simulated() })) {
  describe(name, () => {
    for (const { name, run } of emailContract(contract)) it(name, run)
  })
}

const confirmed: EmailOutcome = { _tag: "Confirmed", messageId: null }

/** Gateways, and the case that finds what is wrong with them. */
const broken: Readonly<Record<string, readonly [change: (send: Send) => Send, found: string]>> = {
  "confirms what it does not send": [
    () => () => Effect.succeed(confirmed),
    "a confirmed e-mail arrived once, under its Message-ID"
  ],
  "sends twice": [
    (send) => (email) => Effect.andThen(send(email), send(email)),
    "e-mails at the same time each arrive once"
  ],
  "dies of an empty text": [
    (send) => (email) => (email.text === "" ? Effect.die(new Error("no text")) : send(email)),
    "any text can be sent"
  ],
  "confirms what is refused": [
    (send) => (email) => Effect.as(send(email), confirmed),
    "an e-mail that is refused did not arrive"
  ]
}

describe("the contract of e-mail", () => {
  it.for(Object.entries(broken))("finds a gateway that %s", async ([, [change, found]]) => {
    const failed: Array<string> = []
    for (const { name, run } of emailContract(simulated(change))) await run().catch(() => failed.push(name))
    assert.include(failed, found)
  })
})
