/** The line at the bottom: what was just done, and what waits because the service cannot be reached. */
import { useEffect, useState } from "preact/hooks"
import { undo } from "../outbox/deciding.ts"
import { resume } from "../outbox/sender.ts"
import { notice, pause, waiting } from "./state.ts"

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
  const [now, setNow] = useState(Date.now())
  const stopped = pause.value
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  if (stopped === undefined) return null
  const seconds = Math.max(0, Math.ceil((stopped.until - now) / 1000))
  const unsent = waiting.value.length
  return (
    <p class="status-line paused" role="status">
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

/** See above. */
export const Status = () => {
  const said = notice.value
  useEffect(() => {
    if (said === undefined) return
    const timer = setTimeout(() => {
      if (notice.value === said) notice.value = undefined
    }, 8000)
    return () => clearTimeout(timer)
  }, [said])
  return (
    <footer class="status">
      {pause.value !== undefined && <Waiting />}
      <div role={said?.tone === "problem" ? "alert" : "status"} aria-live="polite">
        {said !== undefined && (
          <p class={`status-line ${said.tone}`}>
            <span>{said.text}</span>
            {said.tone === "plain" && !said.text.startsWith("Undone") && (
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
