/**
 * Imports of searches as tasks. The task is the stored import: any process can answer for it, and its id is that of the
 * import, which only its organization can read.
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { agentView } from "../agentView.ts"
import { errorCodes, invalidParams, objectOf, type Params, type RpcError } from "../JsonRpc.ts"
import { requires, tasksExtension } from "../requestMeta.ts"
import { type ResultForm, rpcError, toolResult, visibleText } from "../toolResult.ts"
import type { CallResult, Workspace } from "../Workspace.ts"

/** How long a client should wait between two polls, in milliseconds. */
const pollInterval = 2_000

/** A task as it is now. `createdAt` and `lastUpdatedAt` are instants in ISO 8601. */
export type Task = {
  readonly taskId: string
  readonly statusMessage?: string
  readonly createdAt: string
  readonly lastUpdatedAt: string
} & (
  | { readonly status: "working" | "cancelled" }
  | { readonly status: "input_required"; readonly inputRequests: Params }
  | { readonly status: "completed"; readonly result: Params }
  | { readonly status: "failed"; readonly error: RpcError }
)

/** Where tasks are stored. */
export interface TaskStore {
  /** The task with an id; undefined if it is unknown to the caller. */
  readonly get: (id: string) => Effect.Effect<Task | undefined, RpcError>
  /** Cancels a task; one that has ended stays as it is. */
  readonly cancel: (id: string) => Effect.Effect<void, RpcError>
  /** Takes responses to the input requests of a task, by their keys. */
  readonly update: (id: string, responses: Params) => Effect.Effect<void, RpcError>
}

const shown = (task: object): Params => ({ ...task, ttlMs: null, pollIntervalMs: pollInterval })

/** The result of a call that continues as a task. */
export const createdTask = ({ createdAt, lastUpdatedAt, status, statusMessage, taskId }: Task): Params =>
  shown({ resultType: "task", taskId, status, createdAt, lastUpdatedAt, statusMessage })

const invalid = (message: string): Effect.Effect<never, RpcError> => Effect.fail(invalidParams(message))

const known = Effect.fnUntraced(function* (store: TaskStore, params: Params) {
  yield* requires(params, tasksExtension)
  const { taskId } = params
  if (typeof taskId !== "string") return yield* invalid("params.taskId must be a string.")
  const task = yield* store.get(taskId)
  return task ?? (yield* invalid("Unknown task. Use a taskId that a call of a tool returned."))
})

/** Handles a request about a task; undefined if the method is another. */
export const taskMethod = (
  store: TaskStore,
  method: string,
  params: Params
): Effect.Effect<Params, RpcError> | undefined => {
  switch (method) {
    case "tasks/get":
      return Effect.map(known(store, params), shown)
    case "tasks/cancel":
      return Effect.flatMap(known(store, params), ({ taskId }) => Effect.as(store.cancel(taskId), {}))
    case "tasks/update":
      return Effect.flatMap(known(store, params), ({ taskId }) => {
        const responses = params["inputResponses"]
        return Predicate.isReadonlyObject(responses)
          ? Effect.as(store.update(taskId, responses), {})
          : invalid("params.inputResponses must be an object.")
      })
    default:
      return undefined
  }
}

/**
 * Commands that continue in the background when their caller stops waiting. import.sales-nav.filters is none: its result
 * repeats the search that it built, which the import does not store.
 */
const searches: ReadonlySet<string> = new Set(["import.sales-nav.search", "import.linkedin.search"])

/** Ends the id of a task whose search continued an earlier import. */
const continued = ":continued"

const importIdOf = (taskId: string): string =>
  taskId.endsWith(continued) ? taskId.slice(0, -continued.length) : taskId

const taskIdOf = ({ already_exists, import_id }: Params): string =>
  `${import_id}${already_exists === true ? continued : ""}`

/** The result of a command, or the error of a request that is not about its tool. */
const dataOf = (result: CallResult): Effect.Effect<Params | undefined, RpcError> => {
  if (result.ok) return Effect.succeed(objectOf(result.data))
  if (result.status === 404) return Effect.succeed(undefined)
  return Effect.fail(rpcError(result, result.status >= 500 ? errorCodes.internal : errorCodes.refused))
}

const run = (workspace: Workspace, command: string, input: Params) =>
  Effect.flatMap(workspace.run({ command, input, options: {} }), dataOf)

const changedLeads = (workspace: Workspace, importId: string): Effect.Effect<ReadonlyArray<unknown>, RpcError> =>
  Effect.map(run(workspace, "import.leads.list", { import_id: importId, outcome: "updated", limit: 100 }), (data) =>
    Array.isArray(data?.["rows"]) ? data["rows"].map((row) => objectOf(row)["lead_id"]) : []
  )

/** The result of the search's tool, now that it has ended. */
const searchResult = Effect.fnUntraced(function* (
  workspace: Workspace,
  taskId: string,
  detail: Params,
  form: ResultForm
) {
  const { seen } = objectOf(detail["progress"])
  const { reason, state } = detail
  if (seen === 0 && (state === "failed" || state === "interrupted")) {
    const text = `Nobody was imported. ${visibleText(String(reason))} Fix the cause, then run import_resume.`
    return { content: [{ type: "text", text }], isError: true }
  }
  const { created_count, import_id, invalid_count, mission, name, skipped_count, type, updated_count } = detail
  const updated_ids = updated_count === 0 ? [] : yield* changedLeads(workspace, String(import_id))
  const { id, name: missionName } = objectOf(mission)
  const data = {
    import_id,
    import_type: type,
    import_name: name,
    created_count,
    skipped_count,
    invalid_count,
    updated_count,
    updated_ids,
    already_exists: taskId.endsWith(continued),
    message: reason ?? null,
    mission: { id, name: missionName }
  }
  const warnings =
    updated_ids.length === updated_count ? [] : ["updated_ids has the first 100 leads; import_leads_list has all."]
  const meta = { approval_required: false, approval_request_id: "", command_hash: "", warnings }
  return toolResult({ ok: true, status: 200, data: agentView(data), meta }, { output: { properties: {} }, form })
})

const taskOf = Effect.fnUntraced(function* (workspace: Workspace, taskId: string, form: ResultForm) {
  const data = yield* run(workspace, "import.get", { import_id: importIdOf(taskId) })
  if (data === undefined) return undefined
  const detail = objectOf(data["import"])
  const { limit, seen } = objectOf(detail["progress"])
  const statusMessage = limit === null ? `${seen} people read` : `${seen} of at most ${limit} people read`
  const { created_at, updated_at } = detail
  const common = { taskId, createdAt: String(created_at), lastUpdatedAt: String(updated_at), statusMessage }
  const { state } = detail
  const task: Task =
    state === "running" || state === "cancelled"
      ? { ...common, status: state === "running" ? "working" : "cancelled" }
      : { ...common, status: "completed", result: yield* searchResult(workspace, taskId, detail, form) }
  return task
})

/** The imports of a workspace as tasks. They never ask for input. */
export const importTasks = (workspace: Workspace, form: ResultForm): TaskStore => ({
  get: (id) => taskOf(workspace, id, form),
  cancel: (id) => Effect.asVoid(run(workspace, "import.cancel", { import_id: importIdOf(id) })),
  update: () => Effect.void
})

/**
 * Calls a tool for a client that can poll. A search does not wait for its end, unless the call says how long: if it
 * continues in the background, the result is a task.
 */
export const callAsTask = Effect.fnUntraced(function* (
  workspace: Workspace,
  call: (workspace: Workspace) => Effect.Effect<Params>
) {
  let begun: string | undefined
  const watched: Workspace = {
    ...workspace,
    run: (asked) => {
      if (!searches.has(asked.command) || !Predicate.isReadonlyObject(asked.input)) return workspace.run(asked)
      return Effect.map(workspace.run({ ...asked, input: { wait_seconds: 0, ...asked.input } }), (result) => {
        const data = objectOf(result.ok ? result.data : undefined)
        if (data["message"] === "running") begun = taskIdOf(data)
        return result
      })
    }
  }
  const result = yield* call(watched)
  const task = begun === undefined ? undefined : yield* taskOf(workspace, begun, "text")
  return task === undefined ? result : createdTask(task)
})
