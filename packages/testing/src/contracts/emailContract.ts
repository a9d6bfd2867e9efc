/** What every e-mail gateway must hold: it never pretends, never repeats and never fails. */
import assert from "node:assert/strict"
import { EmailGateway, type OutgoingEmail } from "@svc/core/email"
import { isFunction, isOptions, isText, required } from "@svc/core/names"
import { orThrow, svcChecks } from "@svc/embed/composition"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { type ContractCase, casesOf } from "./ContractCase.ts"

/** An e-mail provider for one case. */
export interface EmailSubject {
  readonly gateway: Layer.Layer<EmailGateway, unknown>
  /** The Message-IDs of the e-mails that arrived at the provider, in order, without angle brackets. */
  readonly delivered: () => ReadonlyArray<string> | Promise<ReadonlyArray<string>>
  readonly close?: () => unknown
}

/** How an e-mail provider is tested. */
export interface EmailContract {
  /** Opens the provider, with nothing sent, for one case. */
  readonly open: () => EmailSubject | Promise<EmailSubject>
  /** An address that the provider refuses for good; without it, the case of refusals is left out. */
  readonly refused?: string
}

const isContract = isOptions<EmailContract>({ open: required(isFunction), refused: isText })

const isSubject = isOptions<EmailSubject>({
  gateway: required(svcChecks.email),
  delivered: required(isFunction),
  close: isFunction
})

interface EmailWorld extends Pick<EmailSubject, "delivered"> {
  readonly send: (email: Partial<OutgoingEmail>) => Promise<string>
}

type Case = (world: EmailWorld) => Promise<void>

const letter: OutgoingEmail = {
  messageId: "eml_1@sender.example",
  from: { name: "Ada Märtin", address: "ada@sender.example" },
  to: { name: "Grace “Amazing” Hopper", address: "grace@example.com" },
  subject: "Travel – without paper",
  text: "Hello Grace",
  html: null
}

const general: Readonly<Record<string, Case>> = {
  "a confirmed e-mail arrived once, under its Message-ID": async ({ delivered, send }) => {
    assert.equal(await send({}), "Confirmed")
    assert.deepEqual(await delivered(), [letter.messageId])
  },
  "e-mails at the same time each arrive once": async ({ delivered, send }) => {
    const ids = Array.from({ length: 8 }, (_, index) => `eml_${index}@sender.example`)
    const ended = await Promise.all(ids.map((messageId) => send({ messageId })))
    assert.deepEqual(new Set(ended), new Set(["Confirmed"]))
    assert.deepEqual((await delivered()).toSorted(), ids)
  },
  "any text can be sent": async ({ delivered, send }) => {
    const texts: ReadonlyArray<Partial<OutgoingEmail>> = [
      { subject: "漢字 👩‍💻", text: "Zoë\n.\n\nFrom here\r\n" },
      { text: "", html: "<p>Hello &amp; welcome</p>" },
      { to: { name: "", address: "grace@example.com" }, text: `${"long ".repeat(2_000)}\n` }
    ]
    for (const [index, text] of texts.entries()) {
      assert.equal(await send({ ...text, messageId: `eml_${index}@sender.example` }), "Confirmed", JSON.stringify(text))
    }
    assert.equal((await delivered()).length, texts.length)
  }
}

const refusals = (address: string): Readonly<Record<string, Case>> => ({
  "an e-mail that is refused did not arrive": async ({ delivered, send }) => {
    assert.equal(await send({ to: { name: "Nobody", address } }), "Refused")
    assert.deepEqual(await delivered(), [])
  }
})

/**
 * The contract of an e-mail gateway. `Confirmed` means that the provider took it; every problem is an outcome. Each case
 * opens the provider anew.
 */
export const emailContract = (contract: EmailContract): ReadonlyArray<ContractCase> => {
  orThrow(isContract(contract, "emailContract", true))
  const { open, refused } = contract
  return casesOf({ ...general, ...(refused === undefined ? {} : refusals(refused)) }, async (test) => {
    const subject = await open()
    orThrow(isSubject(subject, "open()"))
    const { close, delivered, gateway } = subject
    const inProvider = Effect.gen(function* () {
      const { send } = yield* EmailGateway
      const sendOne: EmailWorld["send"] = async (email) => (await Effect.runPromise(send({ ...letter, ...email })))._tag
      yield* Effect.promise(() => test({ delivered, send: sendOne }))
    })
    try {
      await Effect.runPromise(Effect.provide(inProvider, gateway))
    } finally {
      await close?.()
    }
  })
}
