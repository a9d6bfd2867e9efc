/** The tasks that the official conformance suite starts by tools of its own, stored in this process. */
import { randomUUID } from "node:crypto"
import {
  createdTask,
  declares,
  type Params,
  type RpcError,
  requires,
  type Task,
  type TaskStore,
  tasksExtension
} from "@svc/mcp"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"

interface Job {
  readonly taskId: string
  readonly begun: number
  readonly seconds: number
  /** What the client is asked, by key; answered ones are removed. */
  readonly questions: Map<string, Params>
  readonly answers: Map<string, unknown>
  readonly end: (job: Job) => { readonly result: Params } | { readonly error: RpcError }
  isCancelled: boolean
}

const jobs = new Map<string, Job>()

const text = (value: string): Params => ({ content: [{ type: "text", text: value }] })

const question = (message: string): Params => ({
  method: "elicitation/create",
  params: {
    mode: "form",
    message,
    requestedSchema: { type: "object", properties: { confirm: { type: "boolean" } } }
  }
})

const begin = (seconds: number, end: Job["end"], questions: ReadonlyArray<readonly [string, Params]> = []): Job => {
  const taskId = randomUUID()
  const job = {
    taskId,
    begun: Date.now(),
    seconds,
    end,
    questions: new Map(questions),
    answers: new Map(),
    isCancelled: false
  }
  jobs.set(taskId, job)
  return job
}

const taskOf = (job: Job): Task => {
  const { begun, isCancelled, questions, seconds, taskId } = job
  const createdAt = new Date(begun).toISOString()
  const common = { taskId, createdAt, lastUpdatedAt: createdAt }
  if (isCancelled) return { ...common, status: "cancelled" }
  if (questions.size > 0) return { ...common, status: "input_required", inputRequests: Object.fromEntries(questions) }
  if (Date.now() < begun + seconds * 1000) return { ...common, status: "working" }
  const end = job.end(job)
  return "error" in end ? { ...common, status: "failed", ...end } : { ...common, status: "completed", ...end }
}

/** The tasks that were begun. */
export const suiteTasks: TaskStore = {
  get: (id) => Effect.sync(() => jobs.get(id)).pipe(Effect.map((job) => job && taskOf(job))),
  cancel: (id) =>
    Effect.sync(() => {
      const job = jobs.get(id)
      if (job === undefined) return
      const { status } = taskOf(job)
      if (status === "working" || status === "input_required") job.isCancelled = true
    }),
  update: (id, responses) =>
    Effect.sync(() => {
      const job = jobs.get(id)
      for (const [key, response] of Object.entries(responses)) {
        if (job?.questions.delete(key) === true) job.answers.set(key, response)
      }
    })
}

const answerOf = (response: unknown): Params => {
  const content = Predicate.isReadonlyObject(response) ? response["content"] : undefined
  return Predicate.isReadonlyObject(content) ? content : {}
}

const argumentsOf = (params: Params): Params =>
  Predicate.isReadonlyObject(params["arguments"]) ? params["arguments"] : {}

type Start = (params: Params) => Job

const jobsByTool: Readonly<Record<string, Start>> = {
  slow_compute: (params) => {
    const { label, seconds } = argumentsOf(params)
    return begin(Number(seconds), () => ({ result: text(`Computed ${String(label)}.`) }))
  },
  failing_job: () => begin(1, () => ({ result: { ...text("The job failed."), isError: true } })),
  protocol_error_job: () => begin(0, () => ({ error: { code: -32603, message: "The job broke." } })),
  confirm_delete: (params) => {
    const { filename } = argumentsOf(params)
    return begin(0, () => ({ result: text(`Deleted ${String(filename)}.`) }), [
      ["confirm", question(`Delete ${String(filename)}?`)]
    ])
  },
  multi_input: () =>
    begin(0, () => ({ result: text("Both were answered.") }), [
      ["first", question("First?")],
      ["second", question("Second?")]
    ])
}

/** Names of the suite's tools for tasks. */
export const taskTools = ["greet", ...Object.keys(jobsByTool), "test_tool_with_task"]

const greeting = (params: Params): Params => text(`Hello, ${String(argumentsOf(params)["name"])}!`)

/** Asks for a name first, and greets it in a task. */
const askedThenBegun = (params: Params): Params => {
  const responses = params["inputResponses"]
  if (!Predicate.isReadonlyObject(responses)) {
    return { resultType: "input_required", inputRequests: { user_name: question("Your name?") } }
  }
  const { name } = answerOf(responses["user_name"])
  return createdTask(taskOf(begin(0, () => ({ result: text(`Hello, ${String(name)}!`) }))))
}

/** Calls a tool for tasks; undefined if the name is another's. */
export const callTaskTool = (name: unknown, params: Params): Effect.Effect<Params, RpcError> | undefined => {
  if (name === "greet") return Effect.succeed(greeting(params))
  if (name === "test_tool_with_task") {
    return Effect.as(requires(params, tasksExtension), params).pipe(Effect.map(askedThenBegun))
  }
  const start = typeof name === "string" && Object.hasOwn(jobsByTool, name) ? jobsByTool[name] : undefined
  if (start === undefined) return undefined
  if (name === "failing_job" && !declares(params, tasksExtension))
    return Effect.as(requires(params, tasksExtension), {})
  return Effect.sync(() => {
    const job = start(params)
    if (declares(params, tasksExtension)) return createdTask(taskOf(job))
    const task = taskOf(job)
    return task.status === "completed" ? task.result : text("Only for clients with tasks.")
  })
}
