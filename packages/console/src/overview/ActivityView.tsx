/** What happened, per day and per mission. */
import { type Activity, chosenOf, datesOf, measures, plotInWords, pointsOf, totalOf } from "./Activity.ts"
import { DayPlot } from "./DayPlot.tsx"
import { DayTable } from "./DayTable.tsx"
import { MissionTable } from "./MissionTable.tsx"
import { missionId, period } from "./reading.ts"

const number = new Intl.NumberFormat()

/** See above. */
export const ActivityView = ({ activity }: { readonly activity: Activity }) => {
  if (activity.missions.length === 0) return <p class="part-empty">Nothing happened in this period.</p>
  const chosen = chosenOf(activity.missions, missionId.value)
  return (
    <div class="activity" aria-busy={datesOf(activity).length !== period.value}>
      <ul class="plots" aria-label={chosen === undefined ? "All missions, per day" : `${chosen.name}, per day`}>
        {measures.map(([measure, name]) => {
          const points = pointsOf(activity, measure, chosen?.mission_id)
          return (
            <li key={measure} class="card plot-card">
              <h3>
                {name} <span class="plot-total">{number.format(totalOf(activity, measure, chosen?.mission_id))}</span>
              </h3>
              <DayPlot label={`${name} per day. ${plotInWords(points)}.`} points={points} />
            </li>
          )
        })}
      </ul>
      <MissionTable activity={activity} chosen={chosen?.mission_id} />
      <DayTable activity={activity} chosen={chosen?.mission_id} />
    </div>
  )
}
