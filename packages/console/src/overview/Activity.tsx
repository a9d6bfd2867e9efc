/** What happened, per day and mission. */
import type { ResultOf } from "../service/shapes.ts"
import { Plot } from "./Plot.tsx"
import { datesBetween } from "./plot.ts"

type Report = ResultOf<"mission.activity">

const counts = [
  ["messages_sent", "Messages sent"],
  ["invitations_accepted", "Invitations accepted"],
  ["replied", "Replied"],
  ["opted_out", "Opted out"]
] as const

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" })

const number = new Intl.NumberFormat()

const Totals = ({ missions }: Pick<Report, "missions">) => (
  <div class="table-place">
    <table>
      <caption>Per mission</caption>
      <thead>
        <tr>
          <th scope="col">Mission</th>
          {counts.map(([name, text]) => (
            <th scope="col" key={name}>
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {missions.map((total) => (
          <tr key={total.mission.mission_id}>
            <th scope="row">{total.mission.name}</th>
            {counts.map(([name]) => (
              <td key={name}>{number.format(total[name])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** See above. */
export const Activity = ({ report }: { readonly report: Report }) => {
  const dates = datesBetween(report.from, report.to)
  return (
    <>
      <div class="plots">
        {counts.map(([name, text]) => {
          const values = dates.map(
            (date) =>
              [
                day.format(new Date(date)),
                report.days.filter((one) => one.date === date).reduce((sum, one) => sum + one[name], 0)
              ] as const
          )
          const total = values.reduce((sum, [, value]) => sum + value, 0)
          return <Plot key={name} title={text} total={number.format(total)} unit={text} values={values} />
        })}
      </div>
      {report.missions.length > 0 && <Totals missions={report.missions} />}
      <p class="quiet">Days in {report.time_zone}. A lead in two missions counts in both.</p>
    </>
  )
}
