/** The totals of each mission, each with its days as a small plot. */
import { type Activity, measures, pointsOf } from "./Activity.ts"
import { Sparkline } from "./DayPlot.tsx"
import { scaleTop } from "./Plot.ts"
import { missionId } from "./reading.ts"

const number = new Intl.NumberFormat()

interface Props {
  readonly activity: Activity
  readonly chosen: string | undefined
}

/** See above. */
export const MissionTable = ({ activity, chosen }: Props) => {
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
