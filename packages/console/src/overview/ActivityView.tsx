/** What happened, per day and per mission. */

import { useSignal } from "@preact/signals"
import { type Activity, chosenOf, datesOf, measures, plotInWords, pointsOf, totalOf } from "./Activity.ts"
import { DayPlot, Sparkline } from "./DayPlot.tsx"
import { scaleTop, weekdayDate } from "./Plot.ts"
import { missionId, period } from "./reading.ts"

interface Props {
  readonly activity: Activity
  readonly chosen: string | undefined
}

/** See above. */
const DayTable = ({ activity, chosen }: Props) => {
  const isOpen = useSignal(false)
  const days = activity.days.filter(({ mission }) => chosen === undefined || mission.mission_id === chosen)
  return (
    <details
      class="day-table"
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open
      }}
    >
      <summary>Numbers by day</summary>
      {isOpen.value && (
        <section class="table-scroll" aria-label="Numbers by day" tabIndex={0}>
          <table class="numbers">
            <caption class="quiet">Days in UTC. Days without activity are left out.</caption>
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">Mission</th>
                {measures.map(([measure, name]) => (
                  <th key={measure} scope="col" class="number">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days.map(({ date, mission, ...counts }) => (
                <tr key={`${date} ${mission.mission_id}`}>
                  <th scope="row">{weekdayDate(date)}</th>
                  <td>{mission.name}</td>
                  {measures.map(([measure]) => (
                    <td key={measure} class="number">
                      {counts[measure]}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  )
}

/** See above. */
const MissionTable = ({ activity, chosen }: Props) => {
  const rows = activity.missions.map((one) => ({
    ...one,
    plots: measures.map(([measure]) => pointsOf(activity, measure, one.mission.mission_id))
  }))
  // The plots of a column have one scale, so that missions compare.
  const tops = measures.map((_, column) =>
    scaleTop(rows.flatMap(({ plots }) => (plots[column] ?? []).map(({ count }) => count)))
  )
  return (
    <section class="table-scroll" aria-label="Missions" tabIndex={0}>
      <table class="numbers missions">
        <caption class="hidden">Totals of each mission. Choose a mission to plot only its numbers.</caption>
        <thead>
          <tr>
            <th scope="col">Mission</th>
            {measures.map(([measure, name]) => (
              <th key={measure} scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ mission, plots, ...counts }) => (
            <tr key={mission.mission_id} class={mission.mission_id === chosen ? "chosen" : undefined}>
              <th scope="row">
                <button
                  type="button"
                  class="plain mission-choice"
                  aria-pressed={mission.mission_id === chosen}
                  onClick={() => {
                    missionId.value = mission.mission_id === chosen ? undefined : mission.mission_id
                  }}
                >
                  {mission.name}
                </button>
                {mission.status !== "ACTIVE" && <span class="sign">{mission.status.toLowerCase()}</span>}
              </th>
              {measures.map(([measure], column) => (
                <td key={measure} class="number">
                  {number.format(counts[measure])}
                  <Sparkline points={plots[column] ?? []} top={tops[column] ?? 2} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

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
