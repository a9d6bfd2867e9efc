/** Mails as mailboxes receive them, made from a seed, and what each must come to. */
import type { Random } from "../support/random.ts"
import { bounceOf, complaintOf, delayOf, type Report, type SentMail } from "./bounceTexts.ts"

/** What a mail must come to: a reply, one consequence for an e-mail or its lead, or nothing at all. */
export type Outcome = "reply" | "hard" | "full" | "policy" | "soft" | "complaint" | "away" | "unsubscribed" | "nothing"

/** A mail to put into a mailbox. */
export interface InboundMail {
  readonly kind: string
  readonly outcome: Outcome
  /** Who it belongs to; undefined for a stranger's. */
  readonly lead: number | undefined
  /** Text that only this mail has. */
  readonly mark: string
  readonly source: string
  /** Its return path; empty for a report. */
  readonly returnPath: string
  /** How often it arrives. */
  readonly times: number
}

/** A lead who got an e-mail. */
export interface WrittenLead extends SentMail {
  readonly index: number
  /** The mail that unsubscribes: its subject; undefined where nothing arrived. */
  readonly unsubscribe: string | undefined
}

const sourceOf = (headers: Readonly<Record<string, string>>, body: string): string =>
  `${Object.entries(headers)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n")}\n\n${body}`

const answers = [
  "Thursday at ten suits me.",
  "Danke, das klingt gut. Können wir telefonieren?",
  "Merci, c'est intéressant. Pouvez-vous m'en dire plus ?",
  "Interesting. What does it cost for forty people?",
  "We have somebody for that, but tell me more.",
  "Gracias, hablemos la semana que viene."
]

const quotes: ReadonlyArray<(lead: SentMail) => string> = [
  () => "",
  ({ from, text }) => `\n\nOn Thu, 26 Nov 2026 at 10:00, Ada <${from}> wrote:\n> ${text}`,
  ({ text }) => `\n\nAm 26.11.2026 um 10:00 schrieb Ada:\n> ${text}`,
  ({ from, subject, text, to }) =>
    `\n\n-----Original Message-----\nFrom: Ada <${from}>\nSent: Thursday, November 26, 2026 10:00 AM\nTo: ${to}\nSubject: ${subject}\n\n${text}`
]

/** What mail programs and gateways damage, in the raw text of a reply. */
const damages: ReadonlyArray<
  (headers: Record<string, string>, text: string) => readonly [Record<string, string>, string]
> = [
  (headers, text) => [
    { ...headers, "Content-Type": 'multipart/mixed; boundary="=_cut"' },
    `--=_cut\nContent-Type: text/plain\n\n${text}`
  ],
  (headers, text) => [{ ...headers, "Content-Type": "multipart/mixed" }, `--what\n\n${text}\n--what--`],
  (headers, text) => [{ ...headers, "Content-Type": "text/plain; charset=x-nobody-knows" }, text],
  (headers, text) => [{ ...headers, "Content-Transfer-Encoding": "quoted-printable" }, `=ZZ ${text} =\n=4`],
  (headers, text) => [
    { ...headers, "Content-Type": 'multipart/alternative; boundary="=_a"' },
    `--=_b\nContent-Type: text/plain\n\n${text}\n--=_b--`
  ],
  (headers, text) => [{ ...headers, Date: "yesterday, around noon", "Content-Type": "nonsense" }, text],
  (headers, text) => [{ ...headers, "MIME-Version": "1.0", "Content-Type": "text/html" }, `<p>${text}<div><b>unclosed`]
]

const absences: ReadonlyArray<readonly [subject: string, text: string]> = [
  ["Automatic reply: SUBJECT", "I am out of the office until 15 December 2026 and will answer after that."],
  ["Abwesenheitsnotiz: SUBJECT", "Ich bin bis zum 11.12.2026 nicht im Büro."],
  ["Réponse automatique : SUBJECT", "Je suis absent jusqu'au 14 décembre 2026."],
  ["Respuesta automática: SUBJECT", "Estoy de vacaciones hasta el 10 de diciembre de 2026."],
  ["Out of Office", "I am travelling with limited access to mail."],
  ["Re: SUBJECT", "Thank you for your mail. I will answer as soon as I can."]
]

/** Makes the mails. `domain` of our addresses is that of the first lead's e-mail. */
export const inboundMails = (
  leads: ReadonlyArray<WrittenLead>,
  count: number,
  random: Random
): ReadonlyArray<InboundMail> => {
  const { next, pick } = random
  const mails: Array<InboundMail> = []
  const now = Date.now()
  const add = (
    kind: string,
    outcome: Outcome,
    lead: WrittenLead | undefined,
    headers: Readonly<Record<string, string>>,
    body: string,
    returnPath?: string
  ) => {
    const mark = `Mark${String(mails.length).padStart(5, "0")}x`
    const date = new Date(now - next(80_000_000)).toUTCString().replace("GMT", "+0000")
    const all = { Date: date, "Message-ID": `<${mark}@mail.elsewhere.example>`, ...headers }
    const marked = (text: string) => text.replaceAll("MARK", mark)
    const source = marked(sourceOf(all, body))
    const isTwice = next(12) === 0
    const times = isTwice ? 2 : 1
    mails.push({
      kind: isTwice ? `${kind} twice` : kind,
      outcome,
      lead: lead?.index,
      mark,
      source,
      returnPath: returnPath ?? "someone@elsewhere.example",
      times
    })
  }
  const toUs = (lead: WrittenLead) => ({ To: `Ada <${lead.from}>` })
  const refer = ({ messageId }: WrittenLead) => ({ "In-Reply-To": messageId, References: messageId })
  const send = (kind: string, outcome: Outcome, lead: WrittenLead, { body, headers }: Report) =>
    add(kind, outcome, lead, { ...headers, To: lead.from }, body, "")
  const text = (lead: WrittenLead) => `${pick(answers)} MARK${pick(quotes)(lead)}\n`

  const replies: Readonly<Record<string, (lead: WrittenLead) => void>> = {
    "by reference": (lead) =>
      add(
        "by reference",
        "reply",
        lead,
        { From: `Lead <${lead.to}>`, ...toUs(lead), Subject: `Re: ${lead.subject}`, ...refer(lead) },
        text(lead)
      ),
    "from another address": (lead) =>
      add(
        "from another address",
        "reply",
        lead,
        {
          From: `private.${lead.index}@gmail.com`,
          ...toUs(lead),
          Subject: `AW: ${lead.subject}`,
          References: `<other@x.example> ${lead.messageId}`
        },
        text(lead)
      ),
    "by address": (lead) =>
      add(
        "by address",
        "reply",
        lead,
        { From: lead.to.toUpperCase(), ...toUs(lead), Subject: pick(["A question", "Your mail", ""]) },
        text(lead)
      ),
    "by a colleague": (lead) =>
      add(
        "by a colleague",
        "reply",
        lead,
        {
          From: `Colleague <colleague@${lead.to.split("@")[1]}>`,
          ...toUs(lead),
          Subject: `${pick(["RE: ", "AW: WG: ", "Re[2]: Fwd: "])}${lead.subject}`
        },
        text(lead)
      ),
    "in HTML": (lead) =>
      add(
        "in HTML",
        "reply",
        lead,
        {
          From: lead.to,
          ...toUs(lead),
          Subject: `Re: ${lead.subject}`,
          ...refer(lead),
          "MIME-Version": "1.0",
          "Content-Type": "text/html; charset=utf-8"
        },
        `<html><body><p>${pick(answers)} MARK</p><blockquote type="cite">${lead.text}</blockquote></body></html>`
      ),
    "without Message-ID": (lead) =>
      add(
        "without Message-ID",
        "reply",
        lead,
        { From: lead.to, ...toUs(lead), Subject: `Re: ${lead.subject}`, ...refer(lead), "Message-ID": "" },
        text(lead)
      ),
    broken: (lead) => {
      const headers = { From: lead.to, ...toUs(lead), Subject: `Re: ${lead.subject} MARK`, ...refer(lead) }
      const [damaged, body] = pick(damages)(headers, `${pick(answers)} MARK`)
      add("broken", "reply", lead, damaged, body)
    }
  }
  const noise: Readonly<Record<string, () => void>> = {
    stranger: () =>
      add(
        "stranger",
        "nothing",
        undefined,
        {
          From: `stranger${next(99)}@unrelated.example`,
          To: pick(leads).from,
          Subject: pick(["Offer", "Re: Lunch", "Hello"])
        },
        "Hello, MARK.\n"
      ),
    "other thread": () =>
      add(
        "other thread",
        "nothing",
        undefined,
        {
          From: `friend${next(99)}@gmail.com`,
          To: pick(leads).from,
          Subject: `Re: ${pick(leads).subject}`,
          References: "<unknown@unrelated.example>"
        },
        "Something else, MARK.\n"
      ),
    newsletter: () =>
      add(
        "newsletter",
        "nothing",
        undefined,
        {
          From: "news@shop.example",
          To: pick(leads).from,
          Subject: "This week: 20% off",
          "List-Id": "<news.shop.example>",
          "List-Unsubscribe": "<https://shop.example/u>",
          Precedence: "bulk"
        },
        "Buy now, MARK.\n"
      ),
    "newsletter of a lead's company": () => {
      const lead = pick(leads)
      add(
        "newsletter of a lead's company",
        "nothing",
        undefined,
        {
          From: `news@${lead.to.split("@")[1]}`,
          ...toUs(lead),
          Subject: "Our news",
          "List-Id": "<news>",
          Precedence: "bulk"
        },
        "News, MARK.\n"
      )
    },
    "own copy": () => {
      const lead = pick(leads)
      add(
        "own copy",
        "nothing",
        undefined,
        {
          From: `Ada <${lead.from}>`,
          To: lead.to,
          Subject: lead.subject,
          ...(next(2) === 0 ? { "Message-ID": lead.messageId } : refer(lead))
        },
        `${lead.text} MARK\n`
      )
    },
    "read receipt": () => {
      const lead = pick(leads)
      send("read receipt", "nothing", lead, {
        headers: {
          From: lead.to,
          Subject: `Read: ${lead.subject}`,
          "MIME-Version": "1.0",
          "Content-Type": 'multipart/report; report-type=disposition-notification; boundary="=_mdn"',
          ...refer(lead)
        },
        body: `--=_mdn\nContent-Type: text/plain\n\nYour message was read. MARK\n\n--=_mdn\nContent-Type: message/disposition-notification\n\nFinal-Recipient: rfc822; ${lead.to}\nOriginal-Message-ID: ${lead.messageId}\nDisposition: manual-action/MDN-sent-manually; displayed\n\n--=_mdn--\n`
      })
    },
    "report on nobody's mail": () => {
      const lead = pick(leads)
      send(
        "report on nobody's mail",
        "nothing",
        lead,
        bounceOf({ ...lead, to: "x@unrelated.example", messageId: `<MARK@${lead.from.split("@")[1]}>` }, random)
      )
    }
  }
  const away = (lead: WrittenLead) => {
    const [subject, body] = pick(absences)
    add(
      "out of office",
      "away",
      lead,
      {
        From: lead.to,
        ...toUs(lead),
        Subject: subject.replace("SUBJECT", lead.subject),
        ...refer(lead),
        "Auto-Submitted": "auto-replied"
      },
      `${body} MARK\n`,
      pick(["", lead.to])
    )
  }

  leads.forEach((lead) => {
    const role = next(100)
    if (role < 45) {
      if (next(5) === 0) away(lead)
      for (let left = 1 + next(3); left > 0; left--) pick(Object.values(replies))(lead)
    } else if (role < 75) {
      if (next(4) === 0) send("delay", "nothing", lead, delayOf(lead))
      const bounce = bounceOf(lead, random)
      send(`bounce by ${bounce.server}`, bounce.failure.kind, lead, bounce)
    } else if (role < 80) send("complaint", "complaint", lead, complaintOf(lead))
    else if (role < 87 && lead.unsubscribe !== undefined)
      add("unsubscribe", "unsubscribed", lead, { From: lead.to, ...toUs(lead), Subject: lead.unsubscribe }, "MARK\n")
    else if (role < 97) away(lead)
    else send("delay", "nothing", lead, delayOf(lead))
  })
  while (mails.length < count) pick(Object.values(noise))()
  // Each mail that comes twice arrives at two places.
  const order = mails.map((mail) => ({ mail, at: next(1_000_000) }))
  return order.toSorted((a, b) => a.at - b.at).map(({ mail }) => mail)
}
