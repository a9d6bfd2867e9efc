/**
 * A provider that does what a test says: around the simulated one, or a host's own. It records what left, and can answer a
 * send, or write a reply, in its place.
 */
import { type InstantText, isoFromMillis, type LeadId, now } from "@svc/core"
import { EmailGateway, type EmailOutcome, type OutgoingEmail } from "@svc/core/email"
import { isListOf, isOneOf, isOptions, isText, required } from "@svc/core/names"
import {
  type ConversationMessage,
  type Delivery,
  type Gateway,
  type LinkedInAccount,
  LinkedInGateway,
  type SendResult
} from "@svc/core/outreach"
import { orThrow } from "@svc/embed/composition"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * What becomes of a send: accepted; refused for good; not accepted for now; accepted, but the response is lost (`unknown`);
 * or lost on the way there, which looks the same to the sender (`lost`).
 */
export type SendOutcome = (typeof sendOutcomes)[number]

const sendOutcomes = ["accept", "refuse", "unavailable", "unknown", "lost"] as const

interface SentBase {
  readonly at: InstantText
  /** `unknown` where the sender got no response. */
  readonly outcome: "confirmed" | "unknown"
  readonly text: string
}

/** A message or an invitation that left; the text of an invitation without a note is empty. */
export interface SentOnLinkedIn extends SentBase {
  readonly kind: "message" | "invitation"
  readonly leadId: LeadId
}

/** An e-mail that left. */
export interface SentEmail extends SentBase {
  readonly kind: "email"
  readonly to: string
  readonly subject: string
}

/** What left. */
export type Sent = SentOnLinkedIn | SentEmail

/** The provider as a test sees it. */
export interface ScriptedProvider {
  /** Says what becomes of the next sends, one after the other. Those after them are left to the provider, as `accept` is. */
  readonly next: (...outcomes: ReadonlyArray<SendOutcome>) => void
  /**
   * A person replies to the last message that left for the lead. The service reads it with `work()`, ten minutes after it
   * last read the conversations, or at once with `svc.linkedin.conversation.sync`. Throws if no message left.
   */
  readonly reply: (reply: { readonly leadId: LeadId; readonly text: string }) => Promise<void>
}

type Reply = Parameters<ScriptedProvider["reply"]>[0]

const isReply = isOptions<Reply>({ leadId: required(isText), text: required(isText) })

/** A message that left, with what a reply to it needs. */
interface Letter {
  readonly account: LinkedInAccount
  readonly recipient: Delivery["recipient"]
  readonly chatId: string | null
}

const lost = "The test lost the connection."
const unavailable = { _tag: "Unavailable", detail: "The test says that the provider is not available." } as const
const refused = { _tag: "Refused", kind: "blocked", providerCode: "test", retryAfterSeconds: null } as const

/** The state of a provider, and the layers over it. */
export const makeProvider = () => {
  const script: Array<SendOutcome> = []
  const sent: Array<Sent> = []
  const letters = new Map<LeadId, Letter>()
  const replies: Array<{ readonly account: LinkedInAccount; readonly message: ConversationMessage }> = []

  /** Sends as the script says; `confirmed` is called with the result of what left. */
  const scripted = <A extends { readonly _tag: string }>(
    send: Effect.Effect<A>,
    answers: Readonly<Record<"refuse" | "unavailable" | "lost", A>>,
    left: (result: A, base: Pick<SentBase, "at" | "outcome">) => void
  ): Effect.Effect<A> =>
    Effect.gen(function* () {
      const outcome = script.shift() ?? "accept"
      if (outcome !== "accept" && outcome !== "unknown") return answers[outcome]
      const result = yield* send
      if (result._tag !== "Confirmed" && result._tag !== "Unknown") return result
      const isKnown = outcome === "accept" && result._tag === "Confirmed"
      left(result, { at: yield* now, outcome: isKnown ? "confirmed" : "unknown" })
      return outcome === "unknown" ? answers.lost : result
    })

  const onLinkedIn = (
    kind: SentOnLinkedIn["kind"],
    account: LinkedInAccount,
    { recipient, text }: Pick<Delivery, "recipient"> & { readonly text: string },
    chatId: string | null,
    send: Effect.Effect<SendResult>
  ) =>
    scripted<SendResult>(send, { refuse: refused, unavailable, lost: { _tag: "Unknown", detail: lost } }, (_, base) => {
      sent.push({ kind, leadId: recipient.leadId, text, ...base })
      if (kind === "message") letters.set(recipient.leadId, { account, recipient, chatId })
    })

  const around = (gateway: Gateway): Gateway => ({
    ...gateway,
    sendToChat: (account, delivery) =>
      onLinkedIn("message", account, delivery, delivery.chatId, gateway.sendToChat(account, delivery)),
    startChat: (account, delivery) =>
      onLinkedIn("message", account, delivery, null, gateway.startChat(account, delivery)),
    sendInvitation: (account, delivery) => {
      const { note, recipient } = delivery
      const send = gateway.sendInvitation(account, delivery)
      return onLinkedIn("invitation", account, { recipient, text: note ?? "" }, null, send)
    },
    listMessages: (account, query) =>
      Effect.map(gateway.listMessages(account, query), ({ messages, next }) => {
        const { chatId, cursor, since } = query
        const written = replies.flatMap(({ account: { id }, message }) => {
          const isWanted = id === account.id && (chatId === null || chatId === message.chatId) && message.at >= since
          return isWanted && cursor === null ? [message] : []
        })
        return { messages: [...messages, ...written], next }
      })
  })

  const sendEmail = (email: OutgoingEmail, send: Effect.Effect<EmailOutcome>) =>
    scripted<EmailOutcome>(
      send,
      {
        refuse: { _tag: "Refused", reason: "The test says that the mailbox does not exist." },
        unavailable: { _tag: "Unavailable", reason: unavailable.detail },
        lost: { _tag: "Unknown", reason: lost }
      },
      (_, base) => {
        sent.push({ kind: "email", to: email.to.address, subject: email.subject, text: email.text, ...base })
      }
    )

  /** Stores a reply. Dies if no message left for the lead. */
  const reply = Effect.fnUntraced(function* (given: Reply) {
    orThrow(isReply(given, "reply", true))
    const { leadId, text } = given
    const letter = letters.get(leadId)
    if (letter === undefined) throw new Error(`No message left for the lead ${leadId}. Send one before its reply.`)
    const { account, recipient } = letter
    const found = letter.chatId ?? (yield* (yield* LinkedInGateway).findChat(account, recipient))
    if (found === null) throw new Error(`The provider has no conversation with the lead ${leadId}.`)
    const messageId = `reply-${replies.length + 1}`
    const { identities } = recipient
    const sender = { providerId: `person-${leadId}`, identities, fullName: "", profileUrl: null, pictureUrl: null }
    // One millisecond after what it replies to, even where the test's clock stands still.
    const at = isoFromMillis(Date.parse(yield* now) + 1)
    const message = { messageId, externalId: null, chatId: found, direction: "inbound" as const, sender, text, at }
    replies.push({ account, message })
  })

  return {
    next: (...outcomes: ReadonlyArray<SendOutcome>): void => {
      orThrow(isListOf(isOneOf(sendOutcomes))(outcomes, "next"))
      script.push(...outcomes)
    },
    sent: (): ReadonlyArray<Sent> => [...sent],
    reply,
    gateway: (layer: Layer.Layer<LinkedInGateway>): Layer.Layer<LinkedInGateway> =>
      Layer.provide(Layer.effect(LinkedInGateway, Effect.map(LinkedInGateway, around)), layer),
    email: (layer: Layer.Layer<EmailGateway>): Layer.Layer<EmailGateway> =>
      Layer.provide(
        Layer.effect(
          EmailGateway,
          Effect.map(EmailGateway, ({ send }) => ({ send: (email) => sendEmail(email, send(email)) }))
        ),
        layer
      )
  }
}
