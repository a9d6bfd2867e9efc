/** The place of the leads: find anyone, and work with them. */
import { useEffect } from "preact/hooks"
import { statusText } from "../lead/statuses.ts"
import { Acts } from "../list/Acts.tsx"
import { Filters } from "../list/Filters.tsx"
import { ListDetail } from "../list/ListDetail.tsx"
import { Mark, type RowContent, Sign } from "../list/Row.tsx"
import { counted } from "../missions/words.ts"
import { go, route } from "../place/route.ts"
import { shortAge } from "../queue/times.ts"
import type { Tabs } from "../screen/state.ts"
import { missions, ownFields, readNames, readOwn, savedFilters } from "../service/names.ts"
import { addPerson } from "./acts.ts"
import { Compare, duplicateRow, duplicates } from "./Duplicates.tsx"
import { moreFilters, usualFilters } from "./filters.ts"
import { actionName } from "./happenings.ts"
import { LeadDetail } from "./LeadDetail.tsx"
import { type Found, leads, total } from "./list.ts"
import { active, ownFormField } from "./ownFields.ts"
import { filterActs } from "./savedFilters.ts"

const leadRow = (lead: Found): RowContent => ({
  name: lead.name,
  company: lead.company,
  when: shortAge(lead.last_interaction ?? lead.updated_at, Date.now()),
  preview: lead.next_action === null ? lead.job_title || lead.headline : actionName(lead.next_action),
  signs: (
    <>
      {lead.is_flagged && <Mark icon="flag" text="Flagged" />}
      {lead.score > 0 && <Sign>{Math.round(lead.score)}</Sign>}
      {lead.status !== "New" && <Sign>{statusText(lead.status)}</Sign>}
    </>
  )
})

const tabsOf = (selected: string): Tabs => ({
  names: [
    ["", "Everyone"],
    ["duplicates", "Possible duplicates"]
  ],
  selected,
  onSelect: (tab) => go({ item: undefined, query: tab === "" ? {} : { tab } })
})

const Tools = () => (
  <>
    <Filters
      usual={usualFilters(missions.value, savedFilters.value)}
      more={[...moreFilters, ...active(ownFields.value).map((one) => ownFormField(one, "Any"))]}
    />
    <span class="quiet small" role="status">
      {leads.rows.value.state === "ready" && counted(total.value, "lead")}
    </span>
    <Acts acts={[...filterActs(), { text: "Add a person", key: "p", run: addPerson }]} />
  </>
)

const detailOf = (id: string) => (id.includes(".") ? <Compare ids={id.split(".")} /> : <LeadDetail id={id} />)

/** The place. */
export const Leads = () => {
  const tab = route.value.query["tab"] ?? ""
  useEffect(() => void Promise.all([readNames(), readOwn()]), [])
  return tab === "duplicates" ? (
    <ListDetail
      key="duplicates"
      label="Possible duplicates"
      list={duplicates}
      row={duplicateRow}
      empty="No two leads look like the same person."
      detail={detailOf}
      tabs={tabsOf(tab)}
    />
  ) : (
    <ListDetail
      key="leads"
      label="Leads"
      list={leads}
      row={leadRow}
      empty="No leads yet. Add a person, or import a list."
      detail={detailOf}
      tabs={tabsOf(tab)}
      tools={<Tools />}
    />
  )
}
