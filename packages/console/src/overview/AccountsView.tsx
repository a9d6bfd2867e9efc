/** What each account used of its limits, and what it sends next. */

import { Table } from "../list/Table.tsx"
import { Nothing } from "../screen/Nothing.tsx"
import {
  accountsOf,
  type ForecastDay,
  laterInWords,
  limitNote,
  ofLimit,
  type UsageWindow,
  windowName
} from "./Accounts.ts"
import { shareOf, weekdayDate } from "./Plot.ts"
import type { Figures } from "./reading.ts"

interface Props {
  readonly used: number
  readonly limit: number | null
  readonly isFull?: boolean
}

/** A bar of what is used of a limit; without a limit, none. */
const Meter = ({ isFull = false, limit, used }: Props) => (
  <svg class={isFull ? "meter full" : "meter"} width="100%" height="6" aria-hidden="true">
    {limit !== null && <rect class="meter-ground" width="100%" height="6" rx="3" />}
    {limit !== null && used > 0 && (
      <rect class="meter-used" width={`${Math.max(2, shareOf(used, limit))}%`} height="6" rx="3" />
    )}
  </svg>
)

const Window = ({ window }: { readonly window: UsageWindow }) => {
  const note = limitNote(window)
  return (
    <li class="small">
      <span>{windowName(window)}</span>
      <span class="number">{ofLimit(window.used, window.limit)}</span>
      <Meter used={window.used} limit={window.limit} isFull={note !== ""} />
      {note !== "" && <span class="limit-note">{note}</span>}
    </li>
  )
}

const Leaving = ({ leaves, limit }: ForecastDay["messages"]) => (
  <td class={leaves === 0 ? "quiet" : ""}>
    {ofLimit(leaves, limit)}
    <Meter used={leaves} limit={limit} />
  </td>
)

const Days = ({ days }: { readonly days: ReadonlyArray<ForecastDay> }) => (
  <Table label="Next seven days" head={[`Next seven days (${days[0]?.time_zone})`, "Messages", "Invitations"]}>
    {days.map(({ date, invitations, messages }) => (
      <tr key={date}>
        <th scope="row">{weekdayDate(date)}</th>
        <Leaving {...messages} />
        <Leaving {...invitations} />
      </tr>
    ))}
  </Table>
)

/** The accounts, each with its limits and its next days. */
export const AccountsView = ({ forecast, problems, usage }: Figures) => {
  const accounts = accountsOf(usage, forecast)
  return (
    <>
      {problems.length > 0 && (
        <p class="part-problem warning" role="status">
          Can't read everything about the accounts. {[...new Set(problems)].join(" ")}
        </p>
      )}
      {forecast !== undefined && forecast.later > 0 && <p class="quiet">{laterInWords(forecast)}</p>}
      {accounts.length === 0 && problems.length === 0 && <Nothing text="No LinkedIn accounts yet." />}
      <ul class="stack">
        {accounts.map(({ days, id, name, windows }) => (
          <li key={id} class="card stack small panel">
            <h3 class="apart small">{name}</h3>
            <div class="account-parts stack">
              {windows.length > 0 && (
                <ul class="limits stack" aria-label={`Usage of ${name}`}>
                  {windows.map((window) => (
                    <Window key={windowName(window)} window={window} />
                  ))}
                </ul>
              )}
              {days.length > 0 && <Days days={days} />}
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}
