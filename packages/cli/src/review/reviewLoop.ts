/** The loop of a review: draws, reads keys, calls the service. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Failure } from "@svc/core"
import type * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Terminal from "effect/Terminal"
import { patientTarget } from "../patientTarget.ts"
import type { Target } from "../Target.ts"
import { type PressedKey, press } from "./pressKey.ts"
import {
  begin,
  type Decision,
  decided,
  dropped,
  lastUndoable,
  notUndone,
  type ReviewAction,
  type ReviewState,
  undone
} from "./ReviewState.ts"
import { drawReview } from "./renderReview.ts"
import {
  accountName,
  approveDraft,
  flagDraft,
  readDraft,
  returnDraft,
  run,
  saveText,
  snoozeDraft,
  waitingDrafts
} from "./reviewCalls.ts"

/** Edits a text in the person's editor; undefined if it did not change. */
export type Edit = (text: string) => Effect.Effect<string | undefined, Failure>

/** Opens a text in an editor, in a private file. */
export const editInEditor = (open: (file: string) => Effect.Effect<void, Failure>): Edit =>
  Effect.fnUntraced(function* (text: string) {
    const folder = yield* Effect.promise(() => mkdtemp(join(tmpdir(), "svc-draft-")))
    const file = join(folder, "message.txt")
    return yield* Effect.promise(() => writeFile(file, `${text}\n`, { mode: 0o600 })).pipe(
      Effect.andThen(open(file)),
      Effect.andThen(Effect.promise(() => readFile(file, "utf8"))),
      // Only the line break that the editor ends a file with is not part of the text.
      Effect.map((read) => read.replace(/\r?\n$/, "")),
      Effect.map((read) => (read === text || read.trim() === "" ? undefined : read)),
      Effect.ensuring(Effect.promise(() => rm(folder, { recursive: true, force: true })))
    )
  })

const edited = (target: Target, edit: Edit, state: ReviewState) =>
  Effect.gen(function* () {
    const { draft } = state
    if (draft === undefined) return state
    const text = yield* edit(draft.variations[state.selected] ?? "")
    if (text === undefined) return { ...state, shownAt: undefined, status: "No changes." }
    yield* saveText(target, state, draft, text)
    return { ...state, draft: undefined, shownAt: undefined, status: "Draft saved." }
  })

const undo = (target: Target, state: ReviewState): Effect.Effect<ReviewState, Failure> => {
  const last = lastUndoable(state)
  if (last?.undo === undefined) return Effect.succeed({ ...state, status: "Nothing to undo." })
  return run(target, last.undo).pipe(
    Effect.map(() => undone(state, last)),
    // Another attempt would end the same way.
    Effect.catchIf(
      ({ entry }) => !entry.retryable,
      ({ message }) => Effect.succeed(notUndone(state, last, `${last.lead}: ${message}`))
    )
  )
}

const askToSend = (state: ReviewState, lead: string, account: string): ReviewState => ({
  ...state,
  mode: { _tag: "Confirming", what: "send" },
  shownAt: undefined,
  status:
    `Send to ${lead} now, from the LinkedIn account ${account}, whatever the time and the limits? ` +
    "Press y to send, any other key not to."
})

const decide = (target: Target, state: ReviewState, action: ReviewAction): Effect.Effect<ReviewState, Failure> => {
  const { draft } = state
  const waiting = state.waiting[state.at]
  if (draft === undefined || waiting === undefined) return Effect.succeed(state)
  const then = Effect.map((decision: Decision) => decided(state, decision))
  switch (action._tag) {
    case "Approve":
    case "Send":
      return then(approveDraft(target, state, draft, waiting, action._tag === "Send"))
    case "AskToSend":
      return Effect.map(accountName(target, draft), (account) => askToSend(state, draft.lead, account))
    case "Reject":
    case "Rewrite":
      return then(returnDraft(target, action._tag, action.text, draft, waiting))
    case "Snooze":
      return then(snoozeDraft(target, action.days, draft, waiting))
    case "Flag": {
      const flagged = !draft.flagged
      const status = flagged ? "Flagged." : "The flag was removed."
      return Effect.as(flagDraft(target, draft), { ...state, draft: { ...draft, flagged }, status })
    }
    default:
      return Effect.succeed(state)
  }
}

/** Performs an action. On failure shows the message and reloads the draft. */
const act = (target: Target, edit: Edit, state: ReviewState, action: ReviewAction): Effect.Effect<ReviewState> => {
  const work =
    action._tag === "Undo"
      ? undo(target, state)
      : action._tag === "Edit"
        ? edited(target, edit, state)
        : decide(target, state, action)
  return work.pipe(
    Effect.catch(({ message }) => Effect.succeed({ ...state, draft: undefined, shownAt: undefined, status: message }))
  )
}

/** With the current draft. One that cannot be read stays in the queue; one decided elsewhere does not. */
const withDraft = (target: Target, state: ReviewState): Effect.Effect<ReviewState> => {
  const waiting = state.waiting[state.at]
  if (state.draft !== undefined || waiting === undefined) return Effect.succeed(state)
  return Effect.matchEffect(readDraft(target, waiting.id), {
    onFailure: ({ message }) =>
      Effect.succeed({ ...state, status: `${message} The draft stays in the queue: any key loads it again.` }),
    onSuccess: (draft): Effect.Effect<ReviewState> =>
      draft === undefined
        ? withDraft(target, dropped(state, waiting.id, "A draft was decided elsewhere meanwhile."))
        : Effect.succeed({ ...state, draft, selected: Math.min(state.selected, draft.variations.length - 1) })
  })
}

const clear = "\u001b[2J\u001b[H"

type ArrivedKey = Omit<PressedKey, "isFollowed">

/** What stands for a key when the size of the terminal has changed. */
const resized: ArrivedKey = { name: "resize", text: "", ctrl: false, at: 0 }

/** The keys with the time when they arrived. */
const stamped = Effect.fnUntraced(function* (input: Queue.Dequeue<Terminal.UserInput, Cause.Done>) {
  const keys = yield* Queue.make<ArrivedKey, Cause.Done>()
  const onResize = () => void Queue.offerUnsafe(keys, resized)
  yield* Effect.acquireRelease(
    Effect.sync(() => process.stdout.on("resize", onResize)),
    () => Effect.sync(() => process.stdout.off("resize", onResize))
  )
  yield* Effect.forkScoped(
    Effect.forever(
      Effect.gen(function* () {
        const { input: typed, key } = yield* Queue.take(input)
        const at = yield* Clock.currentTimeMillis
        yield* Queue.offer(keys, { name: key.name, ctrl: key.ctrl, text: Option.getOrElse(typed, () => ""), at })
      })
    ).pipe(Effect.ensuring(Queue.end(keys)))
  )
  return keys
})

/** Reviews until the person quits; returns the decisions. Fails with NOT_FOUND for an unknown mission. */
export const review = (
  service: Target,
  mission: string | undefined,
  edit: Edit,
  color: boolean
): Effect.Effect<ReadonlyArray<Decision>, Failure, Terminal.Terminal> =>
  Effect.gen(function* () {
    const terminal = yield* Terminal.Terminal
    let state = begin([])
    const show = Effect.gen(function* () {
      const screen = { columns: yield* terminal.columns, rows: yield* terminal.rows, color }
      const { scroll, text, view } = drawReview(state, screen)
      state = { ...state, scroll, view }
      yield* Effect.orDie(terminal.display(`${clear}${text}\n`))
      if (state.draft !== undefined) state = { ...state, shownAt: state.shownAt ?? (yield* Clock.currentTimeMillis) }
    })
    const target = patientTarget(service, (seconds) => {
      const { status } = state
      state = { ...state, status: `The rate limit is reached: continues in ${seconds} s.` }
      return Effect.andThen(
        show,
        Effect.sync(() => {
          state = { ...state, status }
        })
      )
    })
    state = begin(yield* waitingDrafts(target, mission))
    // Releases the keyboard while an editor has the terminal.
    const untilEdit: Effect.Effect<ReviewAction> = Effect.scoped(
      Effect.gen(function* () {
        const keys = yield* stamped(yield* terminal.readInput)
        for (;;) {
          state = yield* withDraft(target, state)
          yield* show
          const key = yield* Effect.option(Queue.take(keys))
          if (Option.isNone(key)) return { _tag: "Quit" }
          if (key.value === resized) continue
          const [next, what] = press(state, { ...key.value, isFollowed: Queue.sizeUnsafe(keys) > 0 })
          state = next
          if (what._tag === "Quit" || what._tag === "Edit") return what
          state = yield* act(target, edit, state, what)
        }
      })
    )
    for (;;) {
      const action = yield* untilEdit
      if (action._tag === "Quit") return state.decisions
      state = yield* act(target, edit, state, action)
    }
  })
