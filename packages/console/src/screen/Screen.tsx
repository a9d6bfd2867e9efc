/** The whole page. */

import type { ComponentChild } from "preact"
import { useEffect } from "preact/hooks"
import { Dialogs } from "../dialogs/Dialogs.tsx"
import { ImportPlace } from "../imports/ImportPlace.tsx"
import { Leads } from "../leads/Leads.tsx"
import { Agents } from "../missions/Agents.tsx"
import { Missions } from "../missions/Missions.tsx"
import { Offers } from "../missions/Offers.tsx"
import { resume, undo } from "../outbox/deciding.ts"
import { Overview } from "../overview/Overview.tsx"
import { type Place, route } from "../place/route.ts"
import { Review } from "../queue/Review.tsx"
import { Replies } from "../replies/Replies.tsx"
import { SignIn } from "../session/SignIn.tsx"
import { Settings } from "../settings/Settings.tsx"
import { Bar } from "./Bar.tsx"
import { column, dialog, isLeadOpen, notice, pause, session, waiting } from "./state.ts"
import { useClock } from "./useClock.ts"

const decisions = (count: number): string => (count === 1 ? "1 decision waits" : `${count} decisions wait`)

const reasons = {
  offline: "Offline",
  limited: "Too many requests for now",
  signed_out: "Signed out",
  running:
    "The service is still working on a decision, or was interrupted. Within 30 seconds it is done or can be repeated",
  unavailable: "The service is not available"
}

const Waiting = () => {
  const now = useClock()
  const stopped = pause.value
  if (stopped === undefined) return null
  const seconds = Math.max(0, Math.ceil((stopped.until - now) / 1000))
  const unsent = waiting.value.length
  return (
    <p class="status-line line paused warning" role="status">
      <span>
        {reasons[stopped.kind]}.{" "}
        {unsent > 0 ? `${decisions(unsent)} in this browser, and will be sent.` : "You can keep reading."}
        {Number.isFinite(seconds) && seconds > 0 ? ` Next try in ${seconds} s.` : ""}
      </span>
      <button type="button" onClick={resume}>
        Try now
      </button>
    </p>
  )
}

const Status = () => {
  const said = notice.value
  useEffect(() => {
    if (said === undefined) return
    const timer = setTimeout(() => {
      if (notice.value === said) notice.value = undefined
    }, 8000)
    return () => clearTimeout(timer)
  }, [said])
  return (
    <footer class="status stack">
      {pause.value !== undefined && <Waiting />}
      <div role={said?.tone === "problem" ? "alert" : "status"} aria-live="polite">
        {said !== undefined && (
          <p
            key={said.number}
            data-number={said.number}
            class={`status-line line ${said.tone === "problem" ? "problem error" : "plain"}`}
          >
            <span>{said.text}</span>
            {said.tone === "done" && (
              <button type="button" onClick={undo}>
                Undo <kbd>Z</kbd>
              </button>
            )}
          </p>
        )}
      </div>
    </footer>
  )
}

const placeViews: Readonly<Record<Place, () => ComponentChild>> = {
  overview: () => <Overview />,
  review: () => <Review />,
  replies: () => <Replies />,
  leads: () => <Leads />,
  missions: () => <Missions />,
  offers: () => <Offers />,
  agents: () => <Agents />,
  import: () => <ImportPlace />,
  settings: () => <Settings />
}

/** The page: signing in, or a place. */
export const Screen = () => {
  const { state } = session.value
  const { place } = route.value
  if (state === "starting") {
    return (
      <div class="empty stack quiet" role="status">
        Loading…
      </div>
    )
  }
  if (state === "out") return <SignIn />
  return (
    <div class={`screen at-${place} on-${column.value} ${isLeadOpen.value ? "over-lead" : ""}`}>
      <Bar />
      {placeViews[place]()}
      <Status />
      {dialog.value !== undefined && <Dialogs dialog={dialog.value} />}
    </div>
  )
}
