/** Compares what mails came to with what they had to come to. */
import type { InboundMail } from "./inboundMails.ts"
import type { Written } from "./mailSetup.ts"
import type { Tally } from "./Tally.ts"

/** What is read of a lead: the texts that it wrote, and its status. */
export interface Read {
  readonly inbound: ReadonlyArray<string>
  readonly status: string
}

/** An event of the feed. */
export interface MailEvent {
  readonly type: string
  readonly subject: { readonly id: string }
  readonly data: Readonly<Record<string, unknown>>
}

const bounces: ReadonlySet<string> = new Set(["hard", "full", "policy", "soft"])

/** Counts what should be there once. */
const once = (found: number, expected: number, what: string, tally: Tally): void => {
  if (found < expected) tally.add("lost", what)
  if (found > expected) tally.add("doubled", `${what}: ${found} instead of ${expected}`)
}

/** Judges each lead by its mails. */
export const judgeMail = (
  written: ReadonlyArray<Written>,
  reads: ReadonlyArray<Read>,
  mails: ReadonlyArray<InboundMail>,
  events: ReadonlyArray<MailEvent>,
  tally: Tally
): void => {
  const markOf = (text: string) => /Mark\d{5}x/.exec(text)?.[0]
  for (const [at, { emailId, index, leadId }] of written.entries()) {
    const { inbound, status } = reads[at] ?? { inbound: [], status: "" }
    const own = mails.filter(({ lead }) => lead === index)
    const ofKind = (outcome: string) => own.filter((mail) => mail.outcome === outcome)
    const replies = ofKind("reply")
    for (const { kind, mark } of replies) {
      once(inbound.filter((text) => text.includes(mark)).length, 1, `the reply ${mark} ${kind} of lead ${index}`, tally)
    }
    for (const text of inbound) {
      const mark = markOf(text)
      if (!replies.some((mail) => mail.mark === mark)) {
        const kind = mails.find((mail) => mail.mark === mark)?.kind ?? "unknown"
        tally.add("leaked", `lead ${index} has a reply that is none: ${kind} ${mark}`)
      }
    }
    const of = (type: string, id: string) => events.filter((event) => event.type === type && event.subject.id === id)
    const bounced = of("email.bounced", emailId)
    const expected = own.find(({ outcome }) => bounces.has(outcome))
    once(bounced.length, expected === undefined ? 0 : 1, `the bounce ${expected?.kind} of lead ${index}`, tally)
    const reason = bounced[0]?.data["reason"]
    if (expected !== undefined && reason !== undefined && reason !== `bounced_${expected.outcome}`)
      tally.add("lost", `the ${expected.outcome} bounce ${expected.mark} ${expected.kind} is taken for ${reason}`)
    once(of("email.complained", emailId).length, ofKind("complaint").length, `the complaint of lead ${index}`, tally)
    once(of("email.auto_replied", leadId).length, ofKind("away").length, `the absence of lead ${index}`, tally)
    const isOptedOut = ofKind("complaint").length + ofKind("unsubscribed").length > 0
    if (isOptedOut !== (status === "DoNotContact"))
      tally.add("lost", `lead ${index} is ${status}, opted out: ${isOptedOut}`)
  }
}
