/** What needs a person; below it what happened, what accounts may still do, and what is sent next. */
import { useEffect } from "preact/hooks"
import { AccountsView } from "./AccountsView.tsx"
import { chosenOf } from "./Activity.ts"
import { ActivityView } from "./ActivityView.tsx"
import { NeedsView } from "./NeedsView.tsx"
import { PartProblem, PartView } from "./PartView.tsx"
import { activity, forecast, missionId, period, showPeriod, usage, watch } from "./reading.ts"

const periods = [7, 30, 90]

const Periods = () => (
  <div class="periods" role="group" aria-label="Period">
    {periods.map((days) => (
      <button type="button" key={days} aria-pressed={period.value === days} onClick={() => showPeriod(days)}>
        {days} days
      </button>
    ))}
  </div>
)

const Missions = () => {
  const missions = activity.value.data?.missions ?? []
  return (
    <label class="mission-filter">
      <span class="hidden">Mission</span>
      <select
        value={chosenOf(missions, missionId.value)?.mission_id ?? ""}
        onChange={({ currentTarget: { value } }) => {
          missionId.value = value === "" ? undefined : value
        }}
      >
        <option value="">All missions</option>
        {missions.map(({ mission: { mission_id, name } }) => (
          <option key={mission_id} value={mission_id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The page. */
export const Overview = () => {
  useEffect(watch, [])
  return (
    <main class="overview stack" aria-label="Needs you">
      <section class="stack">
        <h1>Needs you</h1>
        <NeedsView />
      </section>
      <section class="stack" aria-labelledby="overview-activity">
        <header class="overview-head line">
          <h2 id="overview-activity">Activity</h2>
          <Missions />
          <Periods />
        </header>
        <PartView part={activity.value} what="numbers">
          {(data) => <ActivityView activity={data} />}
        </PartView>
      </section>
      <section class="stack" aria-labelledby="overview-accounts">
        <h2 id="overview-accounts">Accounts</h2>
        <PartProblem part={usage.value} what="limits" />
        <PartProblem part={forecast.value} what="forecasts" />
        <AccountsView />
      </section>
    </main>
  )
}
