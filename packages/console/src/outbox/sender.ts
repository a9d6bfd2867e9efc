/** Sends decisions: one after the other, again after what passes, until the service confirmed or refused each. */
import { pause, session, waiting } from "../screen/state.ts"
import type { Problem } from "../service/outcome.ts"
import { base, request } from "../service/request.ts"
import { ownerOf } from "../session/Session.ts"
import { type Decision, nextDue, pauseAfter } from "./Outbox.ts"

const prefix = (base: string) => `svc-outbox ${base || "/"} `

/** Those that an earlier page left. */
const readDecisions = (base: string): ReadonlyArray<Decision> =>
  Object.keys(localStorage)
    .filter((name) => name.startsWith(prefix(base)))
    .flatMap((name) => {
      try {
        return [JSON.parse(localStorage.getItem(name) ?? "") as Decision]
      } catch {
        localStorage.removeItem(name)
        return []
      }
    })
    .toSorted((a, b) => a.at - b.at)

/** Writes one. Fails silently when the browser has no room: it is still in memory. */
const keepDecision = (base: string, decision: Decision): void => {
  try {
    localStorage.setItem(prefix(base) + decision.id, JSON.stringify(decision))
  } catch {
    // Private windows of some browsers keep nothing.
  }
}

/** Removes one. */
const dropDecision = (base: string, id: string): void => localStorage.removeItem(prefix(base) + id)

/** What happens when a decision ended. */
interface Listener {
  readonly sent: (decision: Decision, data: unknown, held: string) => void
  readonly refused: (decision: Decision, problem: Problem) => void
  readonly signedOut: () => void
}

let listener: Listener | undefined

let timer: ReturnType<typeof setTimeout> | undefined

let isSending = false

let failures = 0

const settle = (id: string) => {
  waiting.value = waiting.value.filter((decision) => decision.id !== id)
  dropDecision(base, id)
}

const send = async (decision: Decision): Promise<void> => {
  const tried = { ...decision, tried: true }
  waiting.value = waiting.value.map((one) => (one.id === decision.id ? tried : one))
  keepDecision(base, tried)
  const outcome = await request<unknown>("POST", `/api/v1/commands/${decision.call.command}`, {
    body: decision.call.input,
    idempotencyKey: decision.id
  })
  if (outcome.ok) {
    failures = 0
    pause.value = undefined
    settle(decision.id)
    listener?.sent(tried, outcome.data, outcome.held)
    return
  }
  const { problem } = outcome
  pause.value = pauseAfter(problem, ++failures, Date.now())
  if (problem.kind === "signed_out") listener?.signedOut()
  if (problem.kind !== "refused") return
  failures = 0
  settle(decision.id)
  listener?.refused(tried, problem)
}

/** Sends what is due, and comes back for the rest. */
export const flush = async (): Promise<void> => {
  if (isSending) return
  isSending = true
  clearTimeout(timer)
  try {
    for (;;) {
      const now = Date.now()
      const until = pause.value?.until ?? 0
      if (until > now) {
        if (Number.isFinite(until)) timer = setTimeout(flush, until - now)
        return
      }
      const due = nextDue(waiting.value, ownerOf(session.value), now)
      if (due === undefined) return
      if ("wait" in due) {
        timer = setTimeout(flush, due.wait)
        return
      }
      await send(due)
    }
  } finally {
    isSending = false
  }
}

/** Tries again at once: the network is back, or somebody signed in. */
export const resume = (): void => {
  pause.value = undefined
  void flush()
}

/** Takes a decision. It is on its way when this returns, and survives the page. */
export const decide = (decision: Decision): void => {
  keepDecision(base, decision)
  waiting.value = [...waiting.value, decision]
  void flush()
}

/** Drops a decision that was not sent. */
export const forget = (id: string): void => settle(id)

/** Starts with what an earlier page left. */
export const startSender = (listening: Listener): void => {
  listener = listening
  waiting.value = readDecisions(base)
  addEventListener("online", resume)
  addEventListener("beforeunload", (event) => {
    if (waiting.value.length > 0) event.preventDefault()
  })
}
