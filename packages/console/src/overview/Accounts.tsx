/** Usage of each account against its limits, and what leaves in the next seven days. */
import type { ResultOf } from "../service/shapes.ts"
import { Plot } from "./Plot.tsx"

const actions: Readonly<Record<string, string>> = {
  message: "Messages",
  invitation: "Invitations",
  invitation_with_note: "Invitations with a note",
  withdrawal: "Withdrawals",
  profile_view: "Profiles looked up",
  search: "Search pages"
}

const spans = { day: "24 hours", week: "7 days" }

/** See above. */
export const Usage = ({
  names,
  windows
}: ResultOf<"linkedin.usage.get"> & { readonly names: ReadonlyMap<string, string> }) =>
  windows.length === 0 ? (
    <p class="quiet">No account was used yet.</p>
  ) : (
    <div class="table-place">
      <table>
        <caption class="hidden">Usage of accounts</caption>
        <thead>
          <tr>
            <th scope="col">Account</th>
            <th scope="col" class="text-cell">
              Action
            </th>
            <th scope="col">Used</th>
            <th scope="col">Limit</th>
            <th scope="col">
              <span class="hidden">Share</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {windows.map(({ account_id, action, limit, used, window }) => (
            <tr key={`${account_id} ${action} ${window}`}>
              <th scope="row">{names.get(account_id) ?? account_id}</th>
              <td class="text-cell">
                {actions[action]} <span class="quiet">in {spans[window]}</span>
              </td>
              <td>{used}</td>
              <td>{limit ?? "none"}</td>
              <td>
                <meter
                  min={0}
                  max={Math.max(1, limit ?? used)}
                  value={used}
                  aria-label={`${used} of ${limit ?? "no limit"}`}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )

const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", timeZone: "UTC" })

/** See above. */
export const Forecast = ({ days, later, on_hold }: ResultOf<"linkedin.queue.forecast">) => {
  const accounts = [...new Map(days.map(({ account }) => [account.account_id, account])).values()]
  return (
    <>
      {on_hold && <p class="note">Sending is on hold for the whole service: nothing leaves before that ends.</p>}
      {accounts.length === 0 && <p class="quiet">No account sends anything.</p>}
      <div class="plots">
        {accounts.flatMap(({ account_id, name }) => {
          const own = days.filter(({ account }) => account.account_id === account_id)
          return (["messages", "invitations"] as const).map((kind) => {
            const values = own.map((one) => [weekday.format(new Date(one.date)), one[kind].leaves] as const)
            const total = values.reduce((sum, [, value]) => sum + value, 0)
            return (
              <Plot
                key={`${account_id} ${kind}`}
                title={`${name}, ${kind}`}
                total={String(total)}
                unit={kind}
                values={values}
                limit={own[0]?.[kind].limit ?? null}
              />
            )
          })
        })}
      </div>
      {later > 0 && <p class="quiet">{later} leave after that.</p>}
    </>
  )
}
