/** The forms of an agent, as data. */
import { area, check, choice, type Field, line, url } from "../form/values.ts"
import { windowName } from "../overview/Accounts.ts"
import type { InputOf, ResultOf } from "../service/shapes.ts"

/** Its persona. */
export const personaFields: ReadonlyArray<Field> = [
  line("first_name", "First name", { required: true, maxLength: 200 }),
  line("last_name", "Last name", { required: true, maxLength: 200 }),
  line("job_title", "Job title", { maxLength: 200 }),
  line("company", "Company", { maxLength: 200 }),
  area("personality", "Tone of voice", 4, { hint: "Style, habits, things to avoid." }),
  area("email_signature", "Email signature", 4, { hint: "Plain text or HTML." }),
  url("linkedin_url", "LinkedIn profile"),
  url("calendar_url", "Booking page"),
  url("avatar_url", "Picture"),
  check("smart_deliverability", "Smart deliverability", {
    hint: "Spreads out sending, starts slowly and avoids repeated texts."
  })
]

/** Its mailboxes. */
export const mailboxFields: ReadonlyArray<Field> = [
  choice("provider", "Provider", { GOOGLE: "Google", OUTLOOK: "Outlook", IMAP: "IMAP", SMTP: "SMTP" }),
  { name: "email", label: "Email address", kind: "email", required: true }
]

export type UsageWindow = ResultOf<"linkedin.usage.get">["windows"][number]

const nameOf = ({ action, window }: UsageWindow): string => `${action}_${window}`

/** A field for each limit, with what is used of it now. */
export const limitFields = (windows: ReadonlyArray<UsageWindow>): ReadonlyArray<Field> => [
  ...windows.map(
    (one): Field => ({
      name: nameOf(one),
      label: windowName(one),
      kind: "number",
      min: 0,
      max: 10_000,
      hint: `${one.used} used${one.limit === null ? "" : `, ${one.limit} allowed now`}`
    })
  ),
  choice(
    "ramp",
    "Slow start",
    { "": "Leave as it is", on: "On", off: "Off" },
    "In the first three weeks an account may do 40, 60 and 80 % of its limits."
  )
]

/** The limits that were set for the account. */
export const limitValues = (windows: ReadonlyArray<UsageWindow>) =>
  Object.fromEntries(windows.map((one) => [nameOf(one), one.own_limit === null ? "" : String(one.own_limit)]))

/** The change that the form asks for: an empty limit is that of the subscription again. */
export const limitsChange = (
  account_id: string,
  { ramp, ...limits }: Readonly<Record<string, unknown>>
): InputOf<"linkedin.usage.set-limits"> => ({
  account_id,
  limits,
  ...(ramp == null ? {} : { ramp: ramp === "on" })
})
