/** A conversation by e-mail: what was written, and what an answer is sent with. */
import { mapOutcome } from "../service/outcome.ts"
import { run } from "../service/request.ts"
import type { Details, ResultOf } from "../service/shapes.ts"

/** An e-mail from or to a person. */
export type Mail = ResultOf<"email.conversation.get">["messages"][number]

const answerTo = (subject: string): string => (/^re:/i.test(subject) ? subject : `Re: ${subject}`.slice(0, 200))

/** Reads the e-mails with a person. Whether an answer can be sent, and from where, the service says itself. */
export const readMailed = async ({ draft_with, item }: Details) => {
  const lead_id = item.item_id
  const [found, sent] = await Promise.all([
    run("email.conversation.get", { lead_id, limit: 20 }),
    run("email.list", { lead_id, limit: 1 })
  ])
  // The latest, which may not be sent yet.
  const [last] = sent.ok ? sent.data.emails : []
  const mails = found.ok ? found.data.messages : []
  const subject = answerTo(mails.find((mail) => mail.subject !== null)?.subject ?? "")
  const to = { lead_id, mission_id: last?.mission?.id ?? draft_with?.mission?.mission_id ?? "" }
  const tried = await run("email.send", { ...to, subject, body_text: subject }, { isDryRun: true })
  const from = tried.ok ? (tried.data.email?.from ?? mails[0]?.mailbox ?? "") : ""
  const refusal = tried.ok ? undefined : to.mission_id ? tried.problem.message : "The person is in no open mission."
  return mapOutcome(found, () => ({ mails, last, subject, to, from, refusal }))
}

/** What an answer by e-mail needs. */
export type Mailed = Extract<Awaited<ReturnType<typeof readMailed>>, { ok: true }>["data"]

/** The messages of a thread, with the e-mails as they were. */
export const withMails = (thread: Details["thread"], mails: ReadonlyArray<Mail>) =>
  [
    ...thread.filter(({ channel }) => channel !== "EMAIL"),
    ...mails.map((mail) => ({ at: mail.date, direction: mail.direction, text: mail.content, mail }))
  ].toSorted((one, other) => one.at.localeCompare(other.at))
