/** Policies: what needs approval, who decides, and what texts must contain. */

import { Edit } from "../form/Edit.tsx"
import { check, choice, type Field, line, linesOf, type Values } from "../form/values.ts"
import { lawfulBases } from "../leads/facts.ts"
import { Read, ReadCard, useReading } from "../list/Detail.tsx"
import { newInputOf, valuesOf } from "../missions/fields.ts"
import { people, say } from "../screen/state.ts"
import { readResource, run } from "../service/request.ts"
import type { InputOf, ResultOf } from "../service/shapes.ts"

type Found = ResultOf<"policy.get">
type Input = InputOf<"policy.set">

const rules = (deny: string) => ({ allow: "Allow", ask: "Ask: another person approves each request first", deny })

const ruleFields: ReadonlyArray<Field> = [
  choice("approval", "What sends, approves or can't be undone", rules("Refuse: nobody sends or approves anything")),
  choice(
    "mutate",
    "All other changes",
    rules("Refuse: nothing can be changed, except these rules"),
    "Leads, missions, offers, imports and settings. Reading is always allowed."
  ),
  choice(
    "agents",
    "AI agents that approve or send",
    rules("Refuse: AI agents draft, people approve"),
    "If two rules apply, the stricter one counts."
  )
]

const requestFields = (): ReadonlyArray<Field> => [
  {
    name: "approvers",
    label: "Who may approve",
    kind: "list",
    hint: `One person in each line: their id, then an email address for notices. Empty: everybody with the right. Ids: ${idsOfPeople()}.`
  },
  { name: "expiry_days", label: "Days until a request expires", kind: "number", min: 1, max: 90, required: true },
  check("client_answers", "Accept answers given in an AI client", {
    hint: "Whoever controls such a client and its key can then approve what the key asked for."
  })
]

const idsOfPeople = (): string =>
  Array.from(people.value)
    .flatMap(([who, name]) => (who.startsWith("USER ") ? [`${who.slice(5)} (${name})`] : []))
    .join(", ")

const textFields: ReadonlyArray<Field> = [
  line("disclosure", "Sentence that texts must contain", {
    maxLength: 300,
    hint: "Texts without it can't be approved."
  }),
  choice("disclosure_for", "Whose texts", { all: "Everybody's", ai_agents: "Those that an AI agent wrote" }),
  choice("evidence", "Sources that LinkedIn drafts must have", {
    "": "None",
    any: "At least one",
    figures: "One for each figure"
  }),
  choice("email_authentication", "Emails from domains without SPF, DKIM and DMARC", {
    "": "Leave",
    required: "Wait"
  }),
  choice("lawful_basis", "First contact of people without a lawful basis", {
    "": "Allow",
    required: "Hold until their lawful basis is known"
  })
]

/** Days until people are erased, by lawful basis. */
const retention: ReadonlyArray<Field> = [...lawfulBases.slice(1), ["none", "Not known"] as const].map(([basis, text]) =>
  line(basis, text, { kind: "number", min: 30, max: 3_650 })
)

const approverOf = (line: string) => {
  const [user_id = "", email] = line.split(/[\s,]+/)
  return { user_id, ...(email === undefined ? {} : { email }) }
}

const valueOf = (name: string, value: Values[string]): unknown => {
  if (name === "approvers") return value === "" ? null : linesOf(value).map(approverOf)
  if (name === "expiry_days") return Number(value)
  return value === "" || value === "allow" ? null : value
}

const inputOf = (changed: Values): Input =>
  Object.fromEntries(Object.entries(changed).map(([name, value]) => [name, valueOf(name, value)]))

const partsOf = ({ approvals, leads: { lawful_basis }, organization, texts }: Found) =>
  [
    [
      "What needs approval",
      ruleFields,
      Object.fromEntries(Object.entries(organization).map(([name, rule]) => [name, rule ?? "allow"]))
    ],
    [
      "Approval requests",
      requestFields(),
      {
        approvers: (approvals.approvers ?? [])
          .map(({ email, user_id }) => `${user_id} ${email ?? ""}`.trim())
          .join("\n"),
        expiry_days: String(approvals.expiry_days),
        client_answers: approvals.client_answers
      }
    ],
    [
      "Texts and people",
      textFields,
      Object.fromEntries(Object.entries({ ...texts, lawful_basis }).map(([name, rule]) => [name, rule ?? ""]))
    ]
  ] as const

interface Catalogue {
  readonly categories: ReadonlyArray<{ readonly commands: ReadonlyArray<Record<"title" | "risk", string>> }>
}

const Covered = () => (
  <ReadCard
    title="What sends, approves or can't be undone"
    read={() => readResource<Catalogue>("svc://catalog")}
    events={/^$/}
  >
    {({ categories }) => (
      <p>
        {categories
          .flatMap(({ commands }) => commands.flatMap(({ risk, title }) => (risk === "approval" ? [title] : [])))
          .join(" · ")}
      </p>
    )}
  </ReadCard>
)

/** The section. */
export const Policies = () => {
  const policies = useReading(() => run("policy.get", {}), /^$/)
  const saved = (_: unknown, held: string): void => {
    if (held === "") say("Saved. It applies everywhere within a second.")
    void policies.refresh()
  }
  return (
    <Read {...policies}>
      {(found) => (
        <>
          {partsOf(found).map(([title, fields, values]) => (
            <Edit
              key={title}
              id={title}
              title={title}
              fields={fields}
              values={values}
              onSubmit={(_, changed, key) => run("policy.set", inputOf(changed), { key })}
              onDone={saved}
            />
          ))}
          <Edit
            id="retention"
            title="Days until people are erased, by lawful basis"
            about="After the last change or message. Empty: never. Erased people can't be restored."
            fields={retention}
            values={valuesOf(retention, found.leads.retention_days ?? {})}
            onSubmit={(values, _, key) => run("policy.set", { retention_days: newInputOf(retention, values) }, { key })}
            onDone={saved}
          />
          <Covered />
          {found.keys.length > 0 && (
            <p class="quiet">
              Keys with rules of their own, set with svc policy set: {found.keys.map(({ name }) => name).join(", ")}.
            </p>
          )}
        </>
      )}
    </Read>
  )
}
