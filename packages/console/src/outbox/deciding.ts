/**
 * Makes decisions: shown at once, sent one after the other until the service confirmed or refused each, and taken back by undo
 * or when it refuses.
 */
import { batch } from "@preact/signals"
import { departureText } from "../draft/departure.ts"
import { keep, newId, readStored, store, storedNames } from "../form/kept.ts"
import { poll } from "../live/follow.ts"
import { markSettled, placeOf, putBack, readCounts, readItem, shownQueue, takeOut } from "../queue/reading.ts"
import { counts, details, dialog, marked, opened, owner, pause, say, waiting } from "../screen/state.ts"
import type { Problem } from "../service/outcome.ts"
import { base, request } from "../service/request.ts"
import type { Item, Tab } from "../service/shapes.ts"
import type { Proposal } from "./calls.ts"
import { type Decision, nextDue, pauseAfter, undoOf } from "./Outbox.ts"

const prefix = `svc-outbox ${base || "/"} `

let timer: ReturnType<typeof setTimeout> | undefined

let isSending = false

let failures = 0

/** Drops a decision: it was confirmed or refused, or it is not to be sent. */
const forget = (id: string): void => {
  waiting.value = waiting.value.filter((decision) => decision.id !== id)
  localStorage.removeItem(prefix + id)
}

const send = async (decision: Decision): Promise<void> => {
  const tried = { ...decision, tried: true }
  waiting.value = waiting.value.map((one) => (one.id === decision.id ? tried : one))
  store(prefix + decision.id, tried)
  const outcome = await request<unknown>("POST", `/api/v1/commands/${decision.call.command}`, {
    body: decision.call.input,
    idempotencyKey: decision.id
  })
  if (outcome.ok) {
    failures = 0
    pause.value = undefined
    forget(decision.id)
    afterSent(tried, outcome.held)
    return
  }
  const { problem } = outcome
  pause.value = pauseAfter(problem, ++failures, Date.now())
  if (problem.kind !== "refused") return
  failures = 0
  forget(decision.id)
  afterRefused(tried, problem)
}

/** Sends what is due, and comes back for the rest. */
const flush = async (): Promise<void> => {
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
      const due = nextDue(waiting.value, owner(), now)
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
const decide = (decision: Decision): void => {
  store(prefix + decision.id, decision)
  waiting.value = [...waiting.value, decision]
  void flush()
}

/** Starts with what an earlier page left. */
export const startSender = (): void => {
  waiting.value = storedNames(prefix)
    .flatMap((name) => readStored<Decision>(name) ?? [])
    .toSorted((a, b) => a.at - b.at)
  addEventListener("online", resume)
  addEventListener("beforeunload", (event) => {
    if (waiting.value.length > 0) event.preventDefault()
  })
}

/** Milliseconds that a decision without a way back stays here, so that it can be undone. */
const grace = 6000

/** What `z` takes back, the latest last: the decisions of one key press. */
const history: Array<{ readonly tab: Tab; readonly decisions: ReadonlyArray<Decision> }> = []

const count = (leaving: number): void => {
  const [tab] = shownQueue()
  const before = counts.value
  if (before !== undefined) counts.value = { ...before, [tab]: Math.max(0, before[tab] - leaving) }
}

const made = (item: Item, proposal: Proposal, now: number): Decision => ({
  ...proposal,
  id: newId(),
  owner: owner(),
  item,
  index: placeOf(item.item_id),
  at: now,
  notBefore: proposal.reverse === null ? now + grace : now,
  tried: false
})

/** Decides on several items at once: one undo takes all of them back. */
export const decideAll = (pairs: ReadonlyArray<readonly [Item, Proposal]>): void => {
  const now = Date.now()
  const decisions = pairs.map(([item, proposal]) => made(item, proposal, now))
  const leaving = decisions.filter(({ leaves }) => leaves).map(({ item }) => item.item_id)
  batch(() => leaving.forEach(takeOut))
  marked.value = new Set([...marked.value].filter((id) => !leaving.includes(id)))
  count(leaving.length)
  history.push({ tab: shownQueue()[0], decisions })
  for (const decision of decisions) decide(decision)
  const [first] = decisions
  if (first !== undefined) say(decisions.length === 1 ? first.label : `${decisions.length} approved`, "done")
}

/** Decides on one item. */
export const decideOn = (item: Item, proposal: Proposal | undefined): void => {
  if (proposal === undefined) say("Not available for this item.", "problem")
  else decideAll([[item, proposal]])
}

const bringBack = (decision: Decision): void => {
  const { index, item, leaves, typed } = decision
  markSettled(item.item_id, true)
  if (typed !== undefined) keep(typed.id, typed.value)
  if (!leaves) return
  putBack(item, Math.max(0, index))
  opened.value = new Set([...opened.value].filter((id) => id !== item.item_id))
  count(-1)
}

/** Takes the latest decision back. */
export const undo = (): void => {
  const last = history.pop()
  if (last === undefined) {
    say("Nothing to undo.")
    return
  }
  let impossible = 0
  for (const decision of last.decisions.toReversed()) {
    const how = undoOf(decision, waiting.value)
    if (how === "impossible") impossible++
    else {
      if (how === "forget") forget(decision.id)
      else if (decision.reverse !== null) {
        const { reverse } = decision
        const call = { call: reverse, reverse: null, label: `Undone: ${decision.label}`, leaves: false }
        decide({ ...made(decision.item, call, Date.now()), notBefore: 0 })
      }
      if (shownQueue()[0] === last.tab) bringBack(decision)
    }
  }
  const label = last.decisions.length === 1 ? last.decisions[0]?.label : `${last.decisions.length} decisions`
  if (impossible > 0) say(`Too late to undo: ${label}`, "problem")
  else say(`Undone: ${label}`)
}

const sayDeparture = async (decision: Decision): Promise<void> => {
  const found = await readItem(decision.item.item_id, "")
  if (found?.departure === null || found === undefined) return
  say(`${decision.label}. ${departureText(found.departure)}`, "done")
}

let latest = ""

const afterSent = (decision: Decision, held: string): void => {
  if (decision.leaves) markSettled(decision.item.item_id)
  const isLast = history.at(-1)?.decisions.at(-1)?.id === decision.id
  latest = decision.id
  if (held !== "") say(`${decision.label}: a policy asks another person to approve it first.`)
  else if (isLast && decision.call.command === "linkedin.draft.approve") {
    // Only for the last of several: what follows at once would overwrite it.
    setTimeout(() => latest === decision.id && waiting.value.length === 0 && void sayDeparture(decision), 400)
  } else if (!decision.leaves) void readItem(decision.item.item_id, "")
  if (waiting.value.length === 0) void poll()
}

const afterRefused = (decision: Decision, problem: Problem): void => {
  bringBack(decision)
  const index = history.findIndex(({ decisions }) => decisions.some(({ id }) => id === decision.id))
  if (index !== -1) history.splice(index, 1)
  const before = details.value.get(decision.item.item_id)
  const { variation_index } = decision.call.input
  void readItem(decision.item.item_id, "someone else")
  if (problem.code === "CONTENT_CHANGED" && before !== undefined) {
    dialog.value = { kind: "conflict", before, variation: Number(variation_index ?? 0) }
  } else if (["APPROVAL_POLICY", "FORBIDDEN_SCOPE"].includes(problem.code)) {
    say(`You can't decide this: ${problem.message} It waits in Review for someone who can.`, "problem")
  } else say(`Not done: ${decision.label}. ${problem.message}`, "problem")
  void readCounts()
}
