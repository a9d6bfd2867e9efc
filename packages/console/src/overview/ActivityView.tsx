/** What happened, per day and per mission. */
import { useSignal } from "@preact/signals"
import { missionState } from "../missions/words.ts"
import { type Activity, chosenOf, datesOf, measures, plotInWords, pointsOf, totalOf } from "./Activity.ts"
import { barsOf, type Point, scaleTop, shortDate, weekdayDate } from "./Plot.ts"
import { missionId, period } from "./reading.ts"

interface PlotProps {
  readonly label: string
  readonly points: ReadonlyArray<Point>
}

const height = 72

/** A bar for each day. `label` says in words what the plot shows. */
const DayPlot = ({ label, points }: PlotProps) => {
  const top = scaleTop(points.map(({ count }) => count))
  return (
    <div class="plot stack quiet">
      <svg role="img" aria-label={label} width="100%" height={height + 1}>
        {[0, 0.5, 1].map((part) => (
          <line key={part} x1="0" x2="100%" y1={part * height + 0.5} y2={part * height + 0.5} class="grid-line" />
        ))}
        {barsOf(points, height, top).map(({ count, date, height: tall, width, x, y }) => (
          <g key={date} class="plot-day">
            <rect class="plot-hit" x={`${x}%`} y="0" width={`${width}%`} height={height}>
              <title>{`${weekdayDate(date)}: ${count}`}</title>
            </rect>
            <rect class="plot-bar" x={`${x + width * 0.14}%`} y={y} width={`${width * 0.72}%`} height={tall} rx="1" />
          </g>
        ))}
      </svg>
      <div class="plot-scale apart digits" aria-hidden="true">
        <span>{top}</span>
        <span>{top / 2}</span>
        <span>0</span>
      </div>
      <div class="apart" aria-hidden="true">
        <span>{shortDate(points[0]?.date ?? "")}</span>
        <span>{shortDate(points.at(-1)?.date ?? "")}</span>
      </div>
    </div>
  )
}

/** The same without axes, for a cell of a table. */
const Sparkline = ({ points, top }: Pick<PlotProps, "points"> & { readonly top: number }) => (
  <svg class="sparkline" width="100%" height="16" aria-hidden="true">
    {barsOf(points, 16, top).map(({ date, height: tall, width, x, y }) => (
      <rect key={date} class="plot-bar" x={`${x + width * 0.1}%`} y={y} width={`${width * 0.8}%`} height={tall} />
    ))}
  </svg>
)

interface Props {
  readonly activity: Activity
  readonly chosen?: string | undefined
}

const MeasureNames = () => (
  <>
    {measures.map(([measure, name]) => (
      <th key={measure} scope="col" class="number">
        {name}
      </th>
    ))}
  </>
)

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
      <summary class="quiet">Numbers by day</summary>
      {isOpen.value && (
        <section class="table-scroll panel" aria-label="Numbers by day" tabIndex={0}>
          <table class="numbers small">
            <caption class="quiet">Days in UTC. Days without activity are left out.</caption>
            <thead class="quiet tiny">
              <tr>
                <th scope="col">Day</th>
                <th scope="col">Mission</th>
                <MeasureNames />
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
    <section class="table-scroll panel" aria-label="Missions" tabIndex={0}>
      <table class="numbers small missions">
        <caption class="hidden">Totals of each mission. Choose a mission to plot only its numbers.</caption>
        <thead class="quiet tiny">
          <tr>
            <th scope="col">Mission</th>
            <MeasureNames />
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
                {mission.status !== "ACTIVE" && <span class="sign">{missionState(mission.status)}</span>}
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

/** A plot of each measure, of one mission or of all. */
export const Plots = ({ activity, chosen }: Props) => (
  <ul class="plots stack" aria-label="Per day">
    {measures.map(([measure, name]) => {
      const points = pointsOf(activity, measure, chosen)
      return (
        <li key={measure} class="card stack small panel">
          <h3 class="apart small">
            {name} <span class="plot-total digits">{number.format(totalOf(activity, measure, chosen))}</span>
          </h3>
          <DayPlot label={`${name} per day. ${plotInWords(points)}.`} points={points} />
        </li>
      )
    })}
  </ul>
)

/** Plots of each measure, and the numbers behind them. */
export const ActivityView = ({ activity }: { readonly activity: Activity }) => {
  if (activity.missions.length === 0) return <p class="part-empty quiet">Nothing happened in this period.</p>
  const chosen = chosenOf(activity.missions, missionId.value)
  return (
    <div class="activity stack" aria-busy={datesOf(activity).length !== period.value}>
      <Plots activity={activity} chosen={chosen?.mission_id} />
      <MissionTable activity={activity} chosen={chosen?.mission_id} />
      <DayTable activity={activity} chosen={chosen?.mission_id} />
    </div>
  )
}
