/** What the campaign of mailboxes begins with: agents with mailboxes, and leads who got an e-mail. */
import { generateKeyPairSync } from "node:crypto"
import { type Dovecot, dovecotPassword } from "../support/mail/Dovecot.ts"
import { isSignedWell } from "../support/mail/opendkim.ts"
import type { WrittenLead } from "./inboundMails.ts"
import { pause, type Tally } from "./Tally.ts"

/** Runs a command; without a key, each call is one of its own. */
export type Run = (command: string, input: unknown, key?: string) => Promise<Record<string, unknown>>

export const agents = ["ada", "grace"] as const
export const domain = "sender.example"
const companies = 40
const body = "Four days earlier, every month. Worth a look?"

const always = [{ start: "00:00", end: "24:00" }]
const everyDay = Object.fromEntries(
  ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"].map((day) => [day, always])
)

/** Two agents with a mailbox and a mission each. */
export const makeAgents = async (run: Run, imapPort: number): Promise<void> => {
  for (const name of agents) {
    const email = `${name}@${domain}`
    const accounts = {
      email_accounts: [{ provider: "IMAP", email }],
      working_hours: everyDay,
      smart_deliverability: false
    }
    await run("agent.create", { handle: name, first_name: name, last_name: "Martin", ...accounts }, `agent-${name}`)
    const mission = { handle: `letters-${name}`, name, agent_handle: name, email_review_strategy: "AUTO" }
    await run("mission.create", mission, `mission-${name}`)
    const inbox = { email, host: "127.0.0.1", port: imapPort, security: "plain", user: name, password: dovecotPassword }
    await run("email.mailbox.connect-inbox", inbox, `inbox-${name}`)
  }
}

/** A lead who was written to. */
export interface Written {
  readonly index: number
  readonly leadId: string
  readonly emailId: string
  readonly from: string
  readonly to: string
  readonly subject: string
}

/** Writes an e-mail to a new lead. */
export const write = async (run: Run, index: number, kind: string): Promise<Written> => {
  const agent = agents[index % agents.length] ?? "ada"
  const to = `${kind}-${index}@company-${index % companies}.example`
  const { lead_id } = await run("lead.upsert", { name: `Lead ${index}`, email: to }, `lead-${index}`)
  const subject = `Invoices of company ${index}`
  const email = { lead_id, mission_id: `letters-${agent}`, subject, body_text: body }
  const sent = Object(await run("email.send", email, `email-${index}`))
  return {
    index,
    leadId: String(lead_id),
    emailId: String(sent.email.email_id),
    from: `${agent}@${domain}`,
    to,
    subject
  }
}

/** Waits for something, and says whether it came. */
export const until = async (what: () => Promise<boolean>, seconds: number, step = 500): Promise<boolean> => {
  for (let end = Date.now() + seconds * 1_000; Date.now() < end; await pause(step)) if (await what()) return true
  return false
}

const pair = generateKeyPairSync("rsa", { modulusLength: 2_048 })
/** What e-mails are signed with. */
export const dkimKey = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString()
const publishedKey = {
  selector: "svc",
  domain,
  record: `v=DKIM1; k=rsa; p=${pair.publicKey.export({ type: "spki", format: "der" }).toString("base64")}`
}

/** The mail that a lead got, as it arrived; how often is counted, and whether OpenDKIM finds the signature of some good. */
export const received = async (dovecot: Dovecot, written: Written, tally: Tally): Promise<WrittenLead> => {
  const user = written.to.split("@")[0] ?? ""
  await until(async () => (await dovecot.list(user)).length > 0, 120)
  const mails = await dovecot.list(user)
  if (mails.length === 0) tally.add("lost", `the e-mail to ${written.to}`)
  if (mails.length > 1) tally.add("doubled", `${mails.length} e-mails to ${written.to}`)
  if (written.index % 20 === 0) {
    tally.hit("signatures")
    const isSigned = await isSignedWell(Buffer.from((mails[0] ?? "").replace(/\r?\n/g, "\r\n")), publishedKey)
    if (!isSigned) tally.add("failed", `OpenDKIM refuses the signature of the e-mail to ${written.to}`)
  }
  const headers = (mails[0] ?? "").split(/\r?\n\r?\n/)[0]?.replace(/\r?\n[ \t]+/g, " ") ?? ""
  const messageId = /^message-id:\s*(<[^>]*>)/im.exec(headers)?.[1] ?? ""
  const token = /<mailto:[^>]*subject=(unsubscribe%20[\w-]+)>/i.exec(headers)?.[1]
  const { from, index, subject, to } = written
  return { index, from, to, subject, messageId, text: body, unsubscribe: token && decodeURIComponent(token) }
}
