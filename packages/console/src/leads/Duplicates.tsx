/** Records that may be the same person, side by side. */
import { signal } from "@preact/signals"
import { Card, Detail, Read, useReading } from "../list/Detail.tsx"
import type { RowContent } from "../list/Row.tsx"
import { Table } from "../list/Table.tsx"
import { listing, pageOf } from "../place/Listing.ts"
import { Link } from "../screen/Link.tsx"
import type { Outcome } from "../service/outcome.ts"
import { run } from "../service/request.ts"
import type { ResultOf } from "../service/shapes.ts"
import { Name } from "../text/Prose.tsx"
import { merge } from "./acts.ts"
import { factFields, factsOf, type Lead } from "./facts.ts"

type Group = ResultOf<"lead.duplicates">["groups"][number]

/** Records compared at once. */
const compared = 4

/** The groups. The id of one is those of its leads. */
export const duplicates = listing<Group>(
  ({ lead_ids }) => lead_ids.slice(0, compared).join("."),
  /^lead\.(created|merged|erased)/,
  async (_, page) => pageOf(await run("lead.duplicates", page), "groups")
)

const reasons: Record<Group["reason"], string> = {
  same_email_hint: "Similar email address",
  same_name_and_company: "Same name and company",
  same_phone: "Same phone number"
}

/** The first lead of each group whose row was on the screen. */
const firsts = signal<Readonly<Record<string, Lead>>>({})
const asked = new Set<string>()

const readFirst = async (id: string): Promise<void> => {
  asked.add(id)
  const found = await run("lead.get", { lead_id: id })
  if (found.ok) firsts.value = { ...firsts.peek(), [id]: found.data.lead }
}

/** A group as the list shows it. */
export const duplicateRow = ({ count, lead_ids: [first = ""], reason }: Group): RowContent => {
  const lead = firsts.value[first]
  if (!asked.has(first)) void readFirst(first)
  return { name: lead?.name ?? "…", company: lead?.company, preview: `${reasons[reason]} · ${count} records` }
}

const Comparison = ({ leads }: { readonly leads: ReadonlyArray<Lead> }) => {
  const values = leads.map((lead) => factsOf(lead))
  const heads = leads.map(({ id }, index) => (
    <Link key={id} to={{ place: "leads", item: id }}>
      Record {index + 1}
    </Link>
  ))
  return (
    <Card title="Facts">
      <Table label="The records side by side" head={["Fact", ...heads]}>
        {factFields
          .filter(({ name }) => values.some((one) => one[name]))
          .map(({ label, name }) => (
            <tr key={name}>
              <th scope="row">{label}</th>
              {values.map((one, index) => (
                <td key={leads[index]?.id}>
                  <Name>{one[name] === true ? "Yes" : String(one[name] || "")}</Name>
                </td>
              ))}
            </tr>
          ))}
      </Table>
    </Card>
  )
}

const readAll = async (ids: ReadonlyArray<string>): Promise<Outcome<ReadonlyArray<Lead>>> => {
  const leads = new Map<string, Lead>()
  for (const found of await Promise.all(ids.map((lead_id) => run("lead.get", { lead_id })))) {
    if (!found.ok) return found
    leads.set(found.data.lead_id, found.data.lead)
  }
  return { ok: true, data: [...leads.values()], held: "" }
}

/** The records of a group side by side, by their ids. */
export const Compare = ({ ids }: { readonly ids: ReadonlyArray<string> }) => {
  const keep = (leads: ReadonlyArray<Lead>) =>
    leads.map((lead, index) => ({ text: `Keep record ${index + 1}`, run: () => merge(lead, leads) }))
  return (
    <Read {...useReading(() => readAll(ids), /^lead\./)}>
      {(leads) => (
        <Detail
          title="Is this one person?"
          about="Keep one record: the others are merged into it."
          from="duplicates"
          acts={leads.length > 1 ? keep(leads) : []}
        >
          <Comparison leads={leads} />
        </Detail>
      )}
    </Read>
  )
}
