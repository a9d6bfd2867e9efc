/** The place of the missions. */
import { Sign } from "../list/Row.tsx"
import { dateAndTime } from "../queue/times.ts"
import { list } from "./list.ts"
import { MissionDetail, NewMission } from "./MissionDetail.tsx"
import { MissionPlace } from "./Place.tsx"
import { counted, missionState } from "./words.ts"

const filters = [
  {
    name: "status",
    label: "Which missions",
    options: Object.entries({ "": "All missions", active: "Without archived", archived: "Archived" })
  }
]

/** The place. */
export const Missions = () => (
  <MissionPlace
    place="missions"
    list={list}
    filters={filters}
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
