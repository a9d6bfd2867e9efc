/**
 * MCP over standard input and output: one message per line, and nothing else on the output.
 *
 * Requests run concurrently. `notifications/cancelled` stops one without a reply. When the input ends, running requests
 * finish first.
 */

import type { Failure } from "@svc/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { errorCodes, type Message, parseJson, readMessage, refused } from "./JsonRpc.ts"
import type { Parts } from "./methods.ts"
import { withProgress } from "./progress.ts"
import { sessionOf } from "./requestMeta.ts"
import { replyTo } from "./Server.ts"
import { type Context, through } from "./Workspace.ts"

/** The two ends of a connection. */
interface Lines {
  readonly input: AsyncIterable<Uint8Array>
  /** Writes one line. */
  readonly write: (line: string) => Promise<void>
  /** Why a line is refused though it may be JSON. One that is too large is not parsed. */
  readonly textProblem?: (line: string) => { readonly isTooLarge: boolean; readonly failure: Failure } | undefined
}

/** Maximum size of a line in bytes, for the largest import as JSON. */
const maxLine = 32 * 1024 * 1024

/** How long running requests may take after the input has ended. */
const drainTimeout = Duration.seconds(10)

/** The lines of an input; undefined for one that is too long. Only `\n` ends a line. */
async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string | undefined> {
  let parts: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of input) {
    let rest = chunk
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      parts.push(rest.subarray(0, end))
      yield size + end > maxLine ? undefined : Buffer.concat(parts).toString("utf8")
      parts = []
      size = 0
      rest = rest.subarray(end + 1)
    }
    size += rest.byteLength
    if (size <= maxLine) parts.push(rest)
    else parts = []
  }
  if (parts.length > 0) yield Buffer.concat(parts).toString("utf8")
}

/** Serves until the input ends. */
export const serveLines = (parts: Parts, context: Context, { input, textProblem, write }: Lines) =>
  Effect.gen(function* () {
    let own = context
    const running = new Map<unknown, Fiber.Fiber<void>>()
    const send = (value: unknown) => Effect.promise(() => write(JSON.stringify(value)))

    const respond = (message: Message): Effect.Effect<void> => {
      const reply = withProgress(message, send, replyTo(parts, { ...own, notify: send }, message))
      return Effect.flatMap(reply, (value) => (value === undefined ? Effect.void : send(value)))
    }

    const handleLine = (line: string | undefined): Effect.Effect<void> => {
      if (line !== undefined && line.trim() === "") return Effect.void
      const problem = line === undefined ? undefined : textProblem?.(line)
      const value = line === undefined || problem?.isTooLarge === true ? null : parseJson(line)
      if (value === undefined || line === undefined) {
        const why = line === undefined ? "The line is longer than 32 MiB." : "The line is not valid JSON."
        return send(refused(null, { code: errorCodes.parse, message: `${why} Send one JSON-RPC message per line.` }))
      }
      const message = readMessage(value)
      if (problem !== undefined) {
        const id = message._tag === "Request" ? message.id : null
        return send(refused(id, { code: errorCodes.parse, message: problem.failure.message }))
      }
      if (message._tag === "Notification" && message.method === "notifications/cancelled") {
        const fiber = running.get(message.params["requestId"])
        return fiber === undefined ? Effect.void : Effect.asVoid(Effect.forkDetach(Fiber.interrupt(fiber)))
      }
      // Nobody replies to a response.
      if (message._tag === "Response") return Effect.asVoid(Effect.forkDetach(replyTo(parts, own, message)))
      if (message._tag !== "Request") return respond(message)
      if (message.method === "initialize") {
        const { client, modes } = sessionOf(message.params)
        own = through({ ...context, modes }, client)
      }
      const { id } = message
      return Effect.gen(function* () {
        const fiber = yield* Effect.forkDetach(
          Effect.ensuring(
            respond(message),
            Effect.sync(() => running.delete(id))
          )
        )
        // A short request may have finished already.
        if (fiber.pollUnsafe() === undefined) running.set(id, fiber)
      })
    }

    const lines = linesOf(input)
    for (;;) {
      const next = yield* Effect.promise(() => lines.next())
      if (next.done === true) break
      yield* handleLine(next.value)
    }
    yield* Effect.timeoutOption(Fiber.awaitAll([...running.values()]), drainTimeout)
  })
