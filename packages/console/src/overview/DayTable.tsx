/** The numbers of the plots, for people who read or copy them. */
import { useSignal } from "@preact/signals"
import { type Activity, measures } from "./Activity.ts"
import { weekdayDate } from "./Plot.ts"

interface Props {
  readonly activity: Activity
  readonly chosen: string | undefined
}

/** See above. */
export const DayTable = ({ activity, chosen }: Props) => {
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
