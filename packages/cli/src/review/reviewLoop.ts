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
  type ReviewedItem,
  type ReviewState,
  undone
} from "./ReviewState.ts"
import { readItem, waitingItems } from "./readItem.ts"
import { drawReview } from "./renderReview.ts"
import { accountName, approveItem, flagDraft, returnItem, saveText, snoozeDraft } from "./reviewCalls.ts"
import { run } from "./run.ts"

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

/** After somebody else changed what was read or edited: both texts beside each other. */
const conflicting = (
  target: Target,
  state: ReviewState,
  { itemId }: ReviewedItem,
  left: string,
  isMine: boolean
): Effect.Effect<ReviewState, Failure> =>
  Effect.map(readItem(target, itemId), (item) =>
    item === undefined
      ? { ...state, item, shownAt: undefined }
      : {
          ...state,
          item,
          selected: Math.min(state.selected, item.variations.length - 1),
          scroll: 0,
          shownAt: undefined,
          mode: { _tag: "Conflict", left, isMine },
          status: isMine
            ? "The text changed while you were writing. Nothing was saved. Press m to save yours instead, any other key to read the new text."
            : "The text changed while you were reading. Nothing was decided. Any key reads the new text."
        }
  )

const saved = (target: Target, state: ReviewState, item: ReviewedItem, text: string) =>
  saveText(target, state.selected, item, text).pipe(
    Effect.as({ ...state, item: undefined, shownAt: undefined, status: "Draft saved." }),
    Effect.catchIf(
      ({ code }) => code === "CONTENT_CHANGED",
      () => conflicting(target, state, item, text, true)
    )
  )

const edited = (target: Target, edit: Edit, state: ReviewState) =>
  Effect.gen(function* () {
    const { item } = state
    if (item === undefined) return state
    const text = yield* edit(item.variations[state.selected] ?? "")
    if (text === undefined) return { ...state, shownAt: undefined, status: "No changes." }
    return yield* saved(target, state, item, text)
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
  const { item } = state
  const waiting = state.waiting[state.at]
  if (item === undefined || waiting === undefined) return Effect.succeed(state)
  const then = (decision: Effect.Effect<Decision, Failure>) =>
    decision.pipe(
      Effect.map((made) => decided(state, made)),
      Effect.catchIf(
        ({ code }) => code === "CONTENT_CHANGED",
        () => conflicting(target, state, item, item.variations[state.selected] ?? "", false)
      )
    )
  switch (action._tag) {
    case "Approve":
    case "Send":
      return then(approveItem(target, state, item, waiting, action._tag === "Send"))
    case "AskToSend":
      return Effect.map(accountName(target, item), (account) => askToSend(state, item.lead, account))
    case "Reject":
    case "Rewrite":
      return then(returnItem(target, action._tag, action.text, item, waiting))
    case "SaveMine":
      return saved(target, state, item, action.text)
    case "Snooze":
      return then(snoozeDraft(target, action.days, item, waiting))
    case "Flag": {
      const flagged = !item.flagged
      const status = flagged ? "Flagged." : "The flag was removed."
      return Effect.as(flagDraft(target, item), { ...state, item: { ...item, flagged }, status })
    }
    default:
      return Effect.succeed(state)
  }
}

/** Performs an action. On failure shows the message and reloads the item. */
const act = (target: Target, edit: Edit, state: ReviewState, action: ReviewAction): Effect.Effect<ReviewState> => {
  const work =
    action._tag === "Undo"
      ? undo(target, state)
      : action._tag === "Edit"
        ? edited(target, edit, state)
        : decide(target, state, action)
  return work.pipe(
    Effect.catch(({ message }) => Effect.succeed({ ...state, item: undefined, shownAt: undefined, status: message }))
  )
}

/** With the current item. One that cannot be read stays in the queue; one decided elsewhere does not. */
const withItem = (target: Target, state: ReviewState): Effect.Effect<ReviewState> => {
  const waiting = state.waiting[state.at]
  if (state.item !== undefined || waiting === undefined) return Effect.succeed(state)
  return Effect.matchEffect(readItem(target, waiting.id), {
    onFailure: ({ message }) =>
      Effect.succeed({ ...state, status: `${message} The item stays in the queue: any key loads it again.` }),
    onSuccess: (item): Effect.Effect<ReviewState> =>
      item === undefined
        ? withItem(target, dropped(state, waiting.id, "An item was decided elsewhere meanwhile."))
        : Effect.succeed({ ...state, item, selected: Math.min(state.selected, item.variations.length - 1) })
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
      if (state.item !== undefined) state = { ...state, shownAt: state.shownAt ?? (yield* Clock.currentTimeMillis) }
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
    state = begin(yield* waitingItems(target, mission))
    // Releases the keyboard while an editor has the terminal.
    const untilEdit: Effect.Effect<ReviewAction> = Effect.scoped(
      Effect.gen(function* () {
        const keys = yield* stamped(yield* terminal.readInput)
        for (;;) {
          state = yield* withItem(target, state)
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
