/** E-mail, for `svc doctor`: how people unsubscribe, and what is known of mailboxes. The DNS is not asked. */
import type { Settings } from "@svc/embed/composition"
import { objectsOf } from "../Target.ts"
import { cellOf } from "../table.ts"
import { type Check, warn } from "./Check.ts"

/** Warns where e-mails are sent that offer no unsubscribing by one click. */
export const checkUnsubscribing = ({ publicUrl, smtp }: Settings): ReadonlyArray<Check> =>
  smtp === undefined || publicUrl?.startsWith("https://")
    ? []
    : [warn("unsubscribing", "by mailto only: set SVC_PUBLIC_URL to an https URL, so that emails offer one click")]

/** What is wrong with the mailboxes of an organization, as `email.mailbox.list` returns them. */
export const checkMailboxes = (listed: unknown): ReadonlyArray<Check> =>
  objectsOf(listed).flatMap(({ domain, email, inbox_problem }) => {
    const unset = ["spf", "dkim", "dmarc"].filter((name) => /^(fail|missing)$/.test(Object(domain)[name])).join(", ")
    const change = objectsOf(Object(domain).problems).join(" ")
    const about = (name: string, detail: string) => [warn(name, cellOf(`${email}: ${detail}`))]
    return [
      ...(inbox_problem == null ? [] : about("inbox", `${inbox_problem}`)),
      ...(unset === "" ? [] : about("domain", `${unset.toUpperCase()} not set up. ${change}`))
    ]
  })
