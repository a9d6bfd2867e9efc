/**
 * What comes in without a key: mails that a host's own webhook receives, signed, and links for unsubscribing.
 *
 * A mail is signed as Standard Webhooks says, over its bytes, with a secret of the organization that `email.inbound.get` tells.
 */
import { createHmac } from "node:crypto"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { runAsService } from "../kernel/background/Worker.ts"
import type { Failure } from "../kernel/failure/Failure.ts"
import { Unauthenticated } from "../kernel/failure/failures.ts"
import { constantTimeEqual, hmacBase64Url } from "../kernel/schema/Hash.ts"
import { now, type OrganizationId } from "../kernel/schema/IdsAndTime.ts"
import { inboundSecret } from "../outreach/provider/LinkedInAccount.ts"
import { MailReader } from "./InboundMail.ts"
import { type MailResult, receiveMail } from "./inbound/receiveMail.ts"
import { MailboxesRepo } from "./MailboxesRepo.ts"
import { unsubscribeByToken } from "./unsubscribe.ts"

/** Path of the endpoint for mails, below the public address. */
export const inboundMailPath = "/api/v1/email/inbound"

/** How old a signature may be, in milliseconds. */
const maxAge = 300_000

/** The secret that an organization's mails are signed with. */
export const inboundMailSecret = (organizationId: OrganizationId) =>
  Effect.map(
    inboundSecret,
    (secret) =>
      `whsec_${Buffer.from(hmacBase64Url(secret, `inbound-mail\n${organizationId}`), "base64url").toString("base64")}`
  )

/** A mail as it was posted. */
export interface SignedMail {
  readonly organizationId: OrganizationId
  readonly source: Uint8Array
  /** The headers `webhook-id`, `webhook-timestamp` (seconds since 1970) and `webhook-signature`. */
  readonly id: string
  readonly timestamp: string
  readonly signature: string
}

const isSigned = ({ id, signature, source, timestamp }: SignedMail, secret: string, at: number): boolean => {
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Number(timestamp) * 1_000 - at) > maxAge) return false
  const key = Buffer.from(secret.slice("whsec_".length), "base64")
  const mark = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(source).digest("base64")
  return signature.split(" ").some((one) => constantTimeEqual(one, `v1,${mark}`))
}

/** Checks the signature and takes the mail in; the address that it came to is the first of a mailbox. */
const receive = Effect.fnUntraced(function* (mail: SignedMail) {
  const { organizationId, source } = mail
  const secret = yield* inboundMailSecret(organizationId)
  if (!isSigned(mail, secret, Date.parse(yield* now))) {
    return yield* new Unauthenticated({
      message:
        "The signature is missing, too old or wrong. Sign the body with the secret of email.inbound.get (Standard Webhooks)."
    })
  }
  const read = yield* (yield* MailReader).read(source)
  const own = yield* (yield* MailboxesRepo).list(organizationId)
  const to = read.to.find((address) => own.some(({ key }) => key === address.toLowerCase())) ?? read.to[0] ?? ""
  return yield* runAsService(organizationId, receiveMail(read, { address: to }))
})

type ReceiverNeeds =
  | Effect.Services<ReturnType<typeof receive>>
  | Effect.Services<ReturnType<typeof unsubscribeByToken>>

/** Receives mails and clicks. */
export class MailReceiver extends Context.Service<
  MailReceiver,
  {
    /** Takes a mail in. Fails with UNAUTHENTICATED, INVALID_INPUT for what is no mail, and UNAVAILABLE, after which it may be sent again. */
    readonly receive: (mail: SignedMail) => Effect.Effect<MailResult, Failure>
    /** Opts out whom a token stands for; again changes nothing. Fails with NOT_FOUND for an unknown one. */
    readonly unsubscribe: (token: string) => Effect.Effect<void, Failure>
  }
>()("@svc/core/email/MailReceiver") {}

/** Receives for this service. */
export const layer: Layer.Layer<MailReceiver, never, ReceiverNeeds> = Layer.effect(
  MailReceiver,
  Effect.map(Effect.context<ReceiverNeeds>(), (needs) => ({
    receive: (mail) => Effect.provideContext(receive(mail), needs),
    unsubscribe: (token) => Effect.provideContext(unsubscribeByToken(token), needs)
  }))
)
