/** Tasks of the protocol: calls whose result a client polls for. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { requires, tasksExtension } from "../extensions.ts"
import { errorCodes, type Params, type RpcError } from "../JsonRpc.ts"

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

const shown = (task: Task): Params => ({ ...task, ttlMs: null, pollIntervalMs: pollInterval })

/** The result of a call that continues as a task. */
export const createdTask = (task: Task): Params => {
  const { createdAt, lastUpdatedAt, status, statusMessage, taskId } = task
  const created = {
    taskId,
    status,
    createdAt,
    lastUpdatedAt,
    ...(statusMessage === undefined ? {} : { statusMessage })
  }
  return { resultType: "task", ...created, ttlMs: null, pollIntervalMs: pollInterval }
}

const invalid = (message: string): Effect.Effect<never, RpcError> =>
  Effect.fail({ code: errorCodes.invalidParams, message })

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
