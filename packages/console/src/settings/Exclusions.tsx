/** People and domains that must not be contacted: the list, a check, adding many, and lifting one. */
import { useSignal } from "@preact/signals"
import { askForm } from "../form/askForm.tsx"
import { Form } from "../form/Form.tsx"
import { line, linesOf, type Values } from "../form/values.ts"
import { Card } from "../list/Detail.tsx"
import { Entries, type EntryContent, EntryList } from "../list/Entries.tsx"
import { listing } from "../place/Listing.ts"
import { dateAndTime } from "../queue/times.ts"
import { Link } from "../screen/Link.tsx"
import { say } from "../screen/state.ts"
import { mapOutcome, type Outcome } from "../service/outcome.ts"
import { readResource, run } from "../service/request.ts"
import type { ResultOf } from "../service/shapes.ts"

type Checked = ResultOf<"lead.suppression.check">["results"][number]
type Exclusion = Record<"kind" | "value" | "reason" | "created_at", string> & Record<"lead_id" | "until", string | null>
type Page = { readonly suppressions: ReadonlyArray<Exclusion>; readonly next_uri: string | null }

const exclusions = listing<Exclusion>(
  ({ kind, value }) => `${kind} ${value}`,
  /^lead\.(suppressed|unsuppressed|erased|merged)$/,
  async (_, { cursor = "svc://suppressions" }) =>
    mapOutcome(await readResource<Page>(cursor), ({ next_uri, suppressions }) => ({
      items: suppressions,
      next_cursor: next_uri
    }))
)

/** What it is as people write it; a person is known by several identifiers. */
const nameOf = ({ kind, value }: Pick<Exclusion, "kind" | "value">): string =>
  ["email", "domain", "lead"].includes(kind) ? value : `linkedin.com/in/${value}`

const targetOf = (kind: string | null, value: string) => {
  if (kind === "lead") return { lead_id: value }
  if (kind === "email") return { email: value }
  return kind === "domain" ? { domain: value } : { linkedin_url: value }
}

const mostAtOnce = 500

const check = async (lines: ReadonlyArray<string>): Promise<Outcome<ReadonlyArray<Checked>>> => {
  const results: Array<Checked> = []
  for (let at = 0; at < lines.length; at += mostAtOnce) {
    const found = await run("lead.suppression.check", { identifiers: lines.slice(at, at + mostAtOnce) })
    if (!found.ok) return found
    results.push(...found.data.results)
  }
  return { ok: true, data: results, held: "" }
}

/** Sends one of many requests, again while the service limits them. */
const patiently = async <A,>(send: () => Promise<Outcome<A>>): Promise<Outcome<A>> => {
  const outcome = await send()
  if (outcome.ok || outcome.problem.kind !== "limited") return outcome
  await new Promise((resolve) => setTimeout(resolve, outcome.problem.retryAfter ?? 5_000))
  return patiently(send)
}

/** Excludes what each line names. Sending the same again has no second effect. */
const exclude = async ({ identifiers, reason, until }: Values, key: string): Promise<Outcome<number>> => {
  const checked = await check(linesOf(identifiers))
  if (!checked.ok) return checked
  const terms = {
    reason: String(reason),
    ...(until === "" ? {} : { until: new Date(`${until}T23:59:59`).toISOString() })
  }
  const problems: Array<string> = []
  let held = ""
  for (const [at, { error, identifier, kind }] of checked.data.entries()) {
    if (at % 20 === 19) say(`${at + 1} of ${checked.data.length}…`)
    const input = { ...targetOf(kind, identifier), ...terms }
    const outcome = error === null && (await patiently(() => run("lead.suppress", input, { key: `${key}-${at}` })))
    if (outcome === false || !outcome.ok) problems.push(`${identifier}: ${outcome ? outcome.problem.message : error}`)
    else held ||= outcome.held
  }
  if (problems.length === 0) return { ok: true, data: checked.data.length, held }
  const message = `${problems.length} of ${checked.data.length} not excluded. ${problems.slice(0, 5).join(" ")}`
  return { ok: false, problem: { kind: "refused", code: "NOT_EXCLUDED", message } }
}

const whom = {
  name: "identifiers",
  label: "Whom",
  kind: "list",
  required: true,
  hint: "One in each line: email addresses, LinkedIn profile URLs, or domains such as example.com."
} as const

const why = line("reason", "Reason", { required: true, maxLength: 500 })

const until = {
  name: "until",
  label: "Until the end of",
  kind: "date",
  hint: "Empty for good: cancels their drafts and unsent messages. With a date, unsent messages go back to review."
} as const

/** Asks whom to exclude. */
export const askExclude = (): void =>
  askForm({
    id: "new exclusions",
    title: "Exclude people and domains",
    fields: [{ ...whom, autofocus: true }, why, until],
    submit: "Exclude",
    onSubmit: (values, _, key) => exclude(values, key),
    done: (count) => `${count} excluded.`,
    onDone: exclusions.refresh
  })

const askLift = (item: Exclusion): void => {
  const { kind, lead_id } = item
  const name = nameOf(item)
  const who = lead_id === null ? "They" : "This person, with all of their addresses,"
  const hint = `${who} can be drafted to, written to and imported again. Cancelled drafts stay cancelled.`
  askForm({
    id: `lifting ${name}`,
    title: `Allow contacting ${name} again?`,
    fields: [{ ...why, hint, autofocus: true }],
    submit: "Allow contact",
    onSubmit: ({ reason }, _, key) => {
      const target = lead_id === null ? targetOf(kind, name) : { lead_id }
      return run("lead.suppression.lift", { ...target, reason: String(reason) }, { key })
    },
    done: "Lifted.",
    onDone: exclusions.refresh
  })
}

const untilInWords = (at: string | null): string => (at === null ? "for good" : `until ${dateAndTime(at)}`)

const resultOf = ({ error, identifier, reason, suppressed, until: end }: Checked): EntryContent => ({
  name: identifier,
  signs: [suppressed ? ["Excluded", "error"] : error === null ? ["Not excluded"] : ["Not readable", "warning"]],
  about: suppressed ? [reason, untilInWords(end)] : [error]
})

/** A lead is listed by each of its identifiers, which say more than its id. */
const isNamed = ({ kind, lead_id }: Exclusion): boolean =>
  kind !== "lead" || !exclusions.rows.value.items.some((other) => other.kind !== "lead" && other.lead_id === lead_id)

const entryOf = (item: Exclusion): EntryContent => ({
  name: nameOf(item),
  signs: [item.until !== null && Date.parse(item.until) < Date.now() && ["Over"]],
  about: [item.reason, untilInWords(item.until), `since ${dateAndTime(item.created_at)}`],
  actions: [["Lift…", () => askLift(item)]],
  more: item.lead_id !== null && <Link to={{ place: "leads", item: item.lead_id }}>Open lead</Link>
})

/** The section. */
export const Exclusions = () => {
  const found = useSignal<ReadonlyArray<Checked>>([])
  return (
    <>
      <Card title="Check">
        <Form
          id="check for exclusions"
          fields={[{ ...whom, rows: 2 }]}
          submit="Check"
          onSubmit={({ identifiers }) => check(linesOf(identifiers))}
          onDone={(results) => {
            found.value = results
          }}
        />
        <EntryList label="Results" entries={found.value.map(resultOf)} />
      </Card>
      <Card title="Excluded, newest first">
        <Entries
          label="Exclusions"
          list={exclusions}
          empty="Nobody is excluded."
          entry={(item) => (isNamed(item) ? entryOf(item) : undefined)}
        />
      </Card>
    </>
  )
}
