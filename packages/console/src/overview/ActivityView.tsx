/** What happened, per day and per mission. */
import { useSignal } from "@preact/signals"
import { Read, useReading } from "../list/Detail.tsx"
import { Filters } from "../list/Filters.tsx"
import { Sign } from "../list/Row.tsx"
import { Table } from "../list/Table.tsx"
import { titleCase } from "../missions/words.ts"
import { route } from "../place/route.ts"
import { Link } from "../screen/Link.tsx"
import { Nothing } from "../screen/Nothing.tsx"
import { run } from "../service/request.ts"
import { Name } from "../text/Prose.tsx"
import { type Activity, chosenOf, datesOf, firstDay, measures, plotInWords, pointsOf, totalOf } from "./Activity.ts"
import { barsOf, type Point, scaleTop, shortDate, weekdayDate } from "./Plot.ts"

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

const number = new Intl.NumberFormat()

const columns = measures.map(([, name]) => name)

const DayTable = ({ activity, chosen }: Props) => {
  const isOpen = useSignal(false)
  const days = activity.days.filter(({ mission }) => chosen === undefined || mission.mission_id === chosen)
  return (
    <details
      class="folded"
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open
      }}
    >
      <summary class="quiet">Numbers by day</summary>
      {isOpen.value && (
        <>
          <p class="quiet">Days in UTC. Days without activity are left out.</p>
          <Table label="Numbers by day" head={["Day and mission", ...columns]}>
            {days.map(({ date, mission, ...counts }) => (
              <tr key={`${date} ${mission.mission_id}`}>
                <th scope="row">
                  {weekdayDate(date)} <Name>{mission.name}</Name>
                </th>
                {measures.map(([measure]) => (
                  <td key={measure}>{counts[measure]}</td>
                ))}
              </tr>
            ))}
          </Table>
        </>
      )}
    </details>
  )
}

const MissionTable = ({ activity }: Props) => {
  // The plots of a column have one scale, so that missions compare.
  const tops = measures.map(([measure]) => scaleTop(activity.days.map(({ [measure]: count }) => count)))
  return (
    <Table label="Missions" head={["Mission", ...columns]}>
      {activity.missions.map(({ mission, ...counts }) => (
        <tr key={mission.mission_id}>
          <th scope="row">
            <Link to={{ place: "missions", item: mission.mission_id }}>
              <Name>{mission.name}</Name>
            </Link>{" "}
            {mission.status !== "ACTIVE" && <Sign>{titleCase(mission.status)}</Sign>}
          </th>
          {measures.map(([measure], column) => (
            <td key={measure}>
              {number.format(counts[measure])}
              <Sparkline points={pointsOf(activity, measure, mission.mission_id)} top={tops[column] ?? 2} />
            </td>
          ))}
        </tr>
      ))}
    </Table>
  )
}

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

const periods = [
  ["7", "7 days"],
  ["", "30 days"],
  ["90", "90 days"]
] as const

/** The section: plots of each measure, and the numbers behind them, of the period and mission in the URL. */
export const ActivityView = () => {
  const { days, mission } = route.value.query
  const period = days === "7" || days === "90" ? Number(days) : 30
  const reading = useReading(
    () => run("mission.activity", { from: firstDay(period, Date.now()) }),
    /^(draft|email|invitation|lead|message|mission)\./,
    period
  )
  const { missions = [] } = reading.reading.value.data ?? {}
  const chosen = chosenOf(missions, mission)?.mission_id
  const names = missions.map(({ mission: { mission_id, name } }) => [mission_id, name] as const)
  return (
    <section class="stack" aria-labelledby="overview-activity">
      <header class="line">
        <h2 id="overview-activity">Activity</h2>
        <Filters
          usual={[
            { name: "mission", label: "Mission", options: [["", "All missions"], ...names] },
            { name: "days", label: "Period", options: periods }
          ]}
        />
      </header>
      <Read {...reading}>
        {(activity) =>
          activity.missions.length === 0 ? (
            <Nothing text="Nothing happened in this period." />
          ) : (
            <div class="stack" aria-busy={datesOf(activity).length !== period}>
              <Plots activity={activity} chosen={chosen} />
              <MissionTable activity={activity} />
              <DayTable activity={activity} chosen={chosen} />
            </div>
          )
        }
      </Read>
    </section>
  )
}
