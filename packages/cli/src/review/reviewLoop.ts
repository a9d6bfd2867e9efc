/** The loop of a review: draws, reads keys, calls the service. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type DraftId, type Failure, WrongState } from "@svc/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Terminal from "effect/Terminal"
import { runCommand } from "../commands/runCommand.ts"
import type { Reply, Target } from "../Target.ts"
import {
  begin,
  type Decision,
  decided,
  press,
  type ReviewAction,
  type ReviewedDraft,
  type ReviewState,
  undone
} from "./ReviewState.ts"
import { renderReview } from "./renderReview.ts"

/** Edits a text in the person's editor; undefined if it did not change. */
export type Edit = (text: string) => Effect.Effect<string | undefined, Failure>

/** Maximum drafts of a review. */
const maxDrafts = 100

const dataOrFail = (reply: Reply): Effect.Effect<Readonly<Record<string, unknown>>, Failure> => {
  const { data, error } = Object(reply.body)
  return reply.status < 400 && data !== undefined
    ? Effect.succeed(data)
    : Effect.fail(new WrongState({ message: String(error?.message ?? `The service returned ${reply.status}.`) }))
}

const run = (target: Target, id: string, input: object) =>
  Effect.flatMap(
    runCommand(target, id, JSON.stringify(input), {
      profile: Option.none(),
      dryRun: false,
      idempotencyKey: Option.none()
    }),
    dataOrFail
  )

const joined = (parts: ReadonlyArray<unknown>, by: string): string => parts.filter((part) => part).join(by)

/** Reads a draft with its findings. */
const readDraft = (target: Target, draftId: DraftId): Effect.Effect<ReviewedDraft, Failure> =>
  Effect.gen(function* () {
    const uri = encodeURIComponent(`svc://linkedin/drafts/${draftId}`)
    const { resource } = Object(
      yield* Effect.flatMap(target.send({ method: "GET", path: `/api/v1/resources/read?uri=${uri}` }), dataOrFail)
    )
    const { content_hash, draft } = Object(Object(resource).payload)
    const { findings } = yield* run(target, "linkedin.draft.check", { draft_id: draftId })
    const { agent, lead, mission, variations } = Object(draft)
    return {
      draftId,
      lead: joined([lead?.name ?? "No lead", joined([lead?.job_title, lead?.company_name], " at ")], ", "),
      about: joined(
        [agent?.name && `from ${agent.name}`, mission?.name && `for ${mission.name}`, lead?.linkedin_url],
        "   "
      ),
      variations: Array.isArray(variations) ? variations.map(({ body_text }) => String(body_text)) : [],
      findings: Array.isArray(findings) ? findings.map(({ message }) => String(message)) : [],
      contentHash: String(content_hash)
    }
  })

/** Opens a text in an editor, in a private file. */
export const editInEditor = (open: (file: string) => Effect.Effect<void, Failure>): Edit =>
  Effect.fnUntraced(function* (text: string) {
    const folder = yield* Effect.promise(() => mkdtemp(join(tmpdir(), "svc-draft-")))
    const file = join(folder, "message.txt")
    return yield* Effect.promise(() => writeFile(file, `${text}\n`, { mode: 0o600 })).pipe(
      Effect.andThen(open(file)),
      Effect.andThen(Effect.promise(() => readFile(file, "utf8"))),
      Effect.map((read) => read.trimEnd()),
      Effect.map((read) => (read === text.trimEnd() || read === "" ? undefined : read)),
      Effect.ensuring(Effect.promise(() => rm(folder, { recursive: true, force: true })))
    )
  })

const approve = (target: Target, state: ReviewState, { contentHash, draftId, lead }: ReviewedDraft) =>
  Effect.map(
    run(target, "linkedin.draft.approve", {
      draft_id: draftId,
      variation_index: state.selected,
      content_hash: contentHash
    }),
    ({ draft }): ReviewState => {
      const queueId: unknown = Object(draft).dispatched_queue_item_id
      return decided(state, {
        kind: "approved",
        draftId,
        lead,
        queueId: typeof queueId === "string" ? queueId : undefined
      })
    }
  )

const undo = (target: Target, state: ReviewState, last: Decision): Effect.Effect<ReviewState, Failure> =>
  last.kind === "cancelled" || last.queueId === undefined
    ? Effect.fail(new WrongState({ message: `${last.lead}: a cancelled draft cannot be restored. Write a new one.` }))
    : Effect.map(run(target, "linkedin.queue.cancel", { queue_id: last.queueId }), () => undone(state, last))

const edited = (target: Target, edit: Edit, state: ReviewState, draft: ReviewedDraft) =>
  Effect.gen(function* () {
    const text = yield* edit(draft.variations[state.selected] ?? "")
    if (text === undefined) return { ...state, status: "No changes." }
    const variations = draft.variations.map((before, position) => ({
      body_text: position === state.selected ? text : before
    }))
    yield* run(target, "linkedin.draft.update", { draft_id: draft.draftId, variations })
    return { ...state, draft: undefined, status: "Draft saved." }
  })

/** Performs an action. On failure shows the message and reloads the draft. */
const act = (target: Target, edit: Edit, state: ReviewState, what: ReviewAction): Effect.Effect<ReviewState> => {
  const { draft } = state
  const last = state.decisions.at(-1)
  const work: Effect.Effect<ReviewState, Failure> =
    what === "approve" && draft !== undefined
      ? approve(target, state, draft)
      : what === "cancel" && draft !== undefined
        ? Effect.map(run(target, "linkedin.draft.cancel", { draft_id: draft.draftId }), () =>
            decided(state, { kind: "cancelled", draftId: draft.draftId, lead: draft.lead, queueId: undefined })
          )
        : what === "undo" && last !== undefined
          ? undo(target, state, last)
          : what === "edit" && draft !== undefined
            ? edited(target, edit, state, draft)
            : Effect.succeed(state)
  return work.pipe(Effect.catch(({ message }) => Effect.succeed({ ...state, draft: undefined, status: message })))
}

const withDraft = (target: Target, state: ReviewState): Effect.Effect<ReviewState> => {
  const id = state.waiting[state.at]
  if (state.draft !== undefined || id === undefined) return Effect.succeed(state)
  return Effect.match(readDraft(target, id), {
    onFailure: ({ message }): ReviewState => ({
      ...state,
      waiting: state.waiting.filter((other) => other !== id),
      at: Math.max(0, Math.min(state.at, state.waiting.length - 2)),
      status: message
    }),
    onSuccess: (draft): ReviewState => ({
      ...state,
      draft,
      selected: Math.min(state.selected, draft.variations.length - 1)
    })
  })
}

const clear = "\u001b[2J\u001b[H"

/** Reviews until the person quits; returns the decisions. */
export const review = (
  target: Target,
  mission: string | undefined,
  edit: Edit,
  color: boolean
): Effect.Effect<ReadonlyArray<Decision>, Failure, Terminal.Terminal> =>
  Effect.gen(function* () {
    const terminal = yield* Terminal.Terminal
    const { drafts } = yield* run(target, "linkedin.draft.list", {
      status: ["PENDING_REVIEW"],
      limit: maxDrafts,
      ...(mission === undefined ? {} : { mission_id: mission })
    })
    let state = begin(Array.isArray(drafts) ? drafts.map(({ draft_id }) => String(draft_id)) : [])
    const show = Effect.gen(function* () {
      state = yield* withDraft(target, state)
      const screen = { columns: yield* terminal.columns, rows: yield* terminal.rows, color }
      yield* Effect.orDie(terminal.display(`${clear}${renderReview(state, screen)}\n`))
    })
    // Releases the keyboard while an editor has the terminal.
    const untilEdit: Effect.Effect<ReviewAction> = Effect.scoped(
      Effect.gen(function* () {
        const input = yield* terminal.readInput
        for (;;) {
          yield* show
          const pressed = yield* Effect.option(Queue.take(input))
          if (Option.isNone(pressed)) return "quit"
          const [next, what] = press(state, pressed.value.key)
          state = next
          if (what === "quit" || what === "edit") return what
          state = yield* act(target, edit, state, what)
        }
      })
    )
    for (;;) {
      if ((yield* untilEdit) === "quit") return state.decisions
      state = yield* act(target, edit, state, "edit")
    }
  })
