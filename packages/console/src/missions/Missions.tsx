/** The place of the missions. */
import { Sign } from "../list/Row.tsx"
import { go, route } from "../place/route.ts"
import { dateAndTime } from "../queue/times.ts"
import { list } from "./list.ts"
import { MissionDetail, NewMission } from "./MissionDetail.tsx"
import { MissionPlace } from "./Place.tsx"
import { counted, missionState } from "./words.ts"

const Filter = () => {
  const { status = "", ...others } = route.value.query
  return (
    <select
      aria-label="Which missions"
      value={status}
      onChange={({ currentTarget: { value } }) =>
        go({ query: value === "" ? others : { ...others, status: value } }, "replace")
      }
    >
      <option value="">All missions</option>
      <option value="active">Without archived</option>
      <option value="archived">Archived</option>
    </select>
  )
}

/** The place. */
export const Missions = () => (
  <MissionPlace
    place="missions"
    label="Missions"
    one="mission"
    list={list}
    filters={<Filter />}
    row={({ createdAt, lastUsedAt, leadCount, name, status, whoAreThey }) => ({
      name,
      when: dateAndTime(lastUsedAt ?? createdAt),
      signs: <Sign>{missionState(status)}</Sign>,
      preview: [counted(leadCount, "lead"), whoAreThey].filter(Boolean).join(" · ")
    })}
    detail={(id) => <MissionDetail id={id} />}
    created={() => <NewMission />}
  />
)
