/** What happened, how much accounts are used, what leaves next, and imports. */
import type { ComponentChildren } from "preact"
import { useEffect, useState } from "preact/hooks"
import { run } from "../service/request.ts"
import { Forecast, Usage } from "./Accounts.tsx"
import { Activity } from "./Activity.tsx"
import { activity, forecast, imports, readFacts, usage } from "./facts.ts"
import { Imports } from "./Imports.tsx"

interface PartProps<A> {
  readonly title: string
  readonly fact: A | string | undefined
  readonly shown: (fact: A) => ComponentChildren
}

const Part = <A extends object>({ fact, shown, title }: PartProps<A>) => (
  <section class="part" aria-label={title} aria-busy={fact === undefined}>
    <h2>{title}</h2>
    {fact === undefined && <div class="part-skeleton" role="status" aria-label="Loading" />}
    {typeof fact === "string" && <p class="note">{fact}</p>}
    {typeof fact === "object" && shown(fact)}
  </section>
)

const accountNames = (): ReadonlyMap<string, string> =>
  new Map(
    typeof forecast.value === "object"
      ? forecast.value.days.map(({ account }) => [account.account_id, account.name] as const)
      : []
  )

/** See above. */
export const Overview = () => {
  const [mission, setMission] = useState("")
  const [missions, setMissions] = useState<ReadonlyArray<{ readonly id: string; readonly name: string }>>([])
  useEffect(() => void readFacts(mission), [mission])
  useEffect(() => {
    void run("mission.list", { limit: 100 }).then((found) => found.ok && setMissions(found.data.missions))
  }, [])
  return (
    // It scrolls, so it takes the focus.
    <main class="overview" aria-label="Overview" tabIndex={0}>
      <header class="overview-head">
        <h1>Last 30 days</h1>
        <label>
          <span class="hidden">Mission</span>
          <select value={mission} onChange={({ currentTarget }) => setMission(currentTarget.value)}>
            <option value="">All missions</option>
            {missions.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </header>
      <Part title="Activity" fact={activity.value} shown={(report) => <Activity report={report} />} />
      <Part title="Next seven days" fact={forecast.value} shown={(found) => <Forecast {...found} />} />
      <Part
        title="Usage of accounts"
        fact={usage.value}
        shown={(found) => <Usage {...found} names={accountNames()} />}
      />
      <Part title="Imports" fact={imports.value} shown={(found) => <Imports {...found} />} />
    </main>
  )
}
