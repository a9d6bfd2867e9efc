/** What needs a person; below it what happened, what accounts may still do, and what is sent next. */
import { useEffect } from "preact/hooks"
import { Read, useReading } from "../list/Detail.tsx"
import { pause } from "../screen/state.ts"
import { AccountsView } from "./AccountsView.tsx"
import { ActivityView } from "./ActivityView.tsx"
import { NeedsView, useNeedKeys } from "./NeedsView.tsx"
import { readFigures, readWaiting } from "./reading.ts"

const readEvery = 30_000

/** The page. */
export const Overview = () => {
  const figures = useReading(readFigures, /^(draft|invitation|message)\./)
  const waiting = useReading(readWaiting, /./)
  useNeedKeys()
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.hidden || (pause.value?.until ?? 0) > Date.now()) return
      void figures.refresh()
      void waiting.refresh()
    }, readEvery)
    return () => clearInterval(timer)
  }, [])
  return (
    <main class="overview stack" aria-label="Needs you">
      <section class="stack">
        <h1>Needs you</h1>
        <Read {...waiting}>{(data) => <NeedsView waiting={data} figures={figures.reading.value.data} />}</Read>
      </section>
      <ActivityView />
      <section class="stack" aria-labelledby="overview-accounts">
        <h2 id="overview-accounts">Accounts</h2>
        <Read {...figures}>{(data) => <AccountsView {...data} />}</Read>
      </section>
    </main>
  )
}
