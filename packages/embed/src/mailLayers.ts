/** E-mail of a composition: how it is sent, how mailboxes are read, and what the DNS says of senders. */
import * as Email from "@svc/core/email"
import { emailGatewayLayerNone } from "@svc/core/internal"
import type { LinkedInGateway } from "@svc/core/outreach"
import { SimulatedEmail, SimulatedInbox } from "@svc/memory"
import { domainCheckLayer } from "@svc/providers/dns"
import { imapInboxLayer, mailReaderLayer } from "@svc/providers/imap"
import { type DkimKey, smtpEmailLayer } from "@svc/providers/smtp"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { GatewayName, Settings } from "./Settings.ts"

const dkimOf = ({ dkimKey, dkimSelector }: MailSettings): DkimKey | undefined =>
  dkimKey === undefined ? undefined : { key: dkimKey, selector: dkimSelector }

type MailSettings = Pick<Settings, "smtp" | "dkimKey" | "dkimSelector">

/** The gateway for e-mail: SMTP if configured; otherwise simulated if LinkedIn is, and none if not. */
export const emailLayer = (settings: MailSettings, gateway: GatewayName | Layer.Layer<LinkedInGateway>) => {
  if (settings.smtp !== undefined) return smtpEmailLayer(settings.smtp, dkimOf(settings))
  return gateway === "simulator" ? SimulatedEmail.layer : emailGatewayLayerNone
}

/** Asks a host for access tokens of mailboxes. */
export type MailboxToken = (request: Email.TokenRequest) => Promise<string>

const tokensLayer = (ask: MailboxToken) =>
  Layer.succeed(Email.MailboxTokens, {
    token: (request) =>
      Effect.tryPromise({
        try: async () => Redacted.make(await ask(request), { label: "token of a mailbox" }),
        catch: () =>
          new Email.InboxProblem({ kind: "login", detail: "The program that runs this service gave no access token." })
      })
  })

/** What a program gives of its own. */
interface MailOptions {
  readonly inbox?: Layer.Layer<Email.InboxGateway> | undefined
  readonly mailboxToken?: MailboxToken | undefined
}

/** Mailboxes: over IMAP, or simulated where e-mail is; what the DNS says of senders; and the reader of mails. */
export const mailLayer = (
  settings: MailSettings,
  isSimulated: boolean,
  { inbox, mailboxToken }: MailOptions
): Layer.Layer<Email.DomainCheck | Email.InboxGateway | Email.MailReader> =>
  Layer.mergeAll(
    inbox ?? (isSimulated ? SimulatedInbox.layer : imapInboxLayer.pipe(Layer.provide(mailReaderLayer))),
    domainCheckLayer({ dkim: dkimOf(settings) }),
    mailReaderLayer,
    mailboxToken === undefined ? Layer.empty : tokensLayer(mailboxToken)
  )
