/**
 * The protocol over standard input and output: one message a line, and nothing else on the output.
 *
 * Requests run side by side. `notifications/cancelled` stops one, which is then not answered. At the end of the input what
 * was begun is answered first. Source: the protocol's stdio transport; issue "stdout of stdio is JSON-RPC only".
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { errorCodes, type Message, readMessage, refused } from "./JsonRpc.ts"
import { withProgress } from "./progress.ts"
import { type Context, type Parts, replyTo } from "./Server.ts"

/** The two ends of a connection. */
export interface Lines {
  readonly input: AsyncIterable<Uint8Array>
  /** Writes one line. */
  readonly write: (line: string) => Promise<void>
  /** What parsing a well-formed line would change without saying so, in words; such a line is refused, as over HTTP. */
  readonly change?: (line: string) => string | undefined
}

/** Longest line, in bytes: an import of the largest size, written as JSON. */
const longestLine = 32 * 1024 * 1024

/** How long what still runs may take when the input has ended. */
const patience = Duration.seconds(10)

/** The lines of an input; a last one without its end counts. Only `\n` ends a line: JSON may hold other line separators. */
async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string | undefined> {
  let parts: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of input) {
    let rest = chunk
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      parts.push(rest.subarray(0, end))
      yield size + end > longestLine ? undefined : Buffer.concat(parts).toString("utf8")
      parts = []
      size = 0
      rest = rest.subarray(end + 1)
    }
    size += rest.byteLength
    if (size <= longestLine) parts.push(rest)
    else parts = []
  }
  if (parts.length > 0) yield Buffer.concat(parts).toString("utf8")
}

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Serves until the input ends. */
export const serveLines = (parts: Parts, context: Context, { change, input, write }: Lines): Effect.Effect<void> =>
  Effect.gen(function* () {
    const running = new Map<unknown, Fiber.Fiber<void>>()
    const send = (value: unknown) => Effect.promise(() => write(JSON.stringify(value)))

    const answer = (message: Message): Effect.Effect<void> => {
      const told = withProgress(message, send, replyTo(parts, { ...context, notify: send }, message))
      return Effect.flatMap(told, (value) => (value === undefined ? Effect.void : send(value)))
    }

    const take = (line: string | undefined): Effect.Effect<void> => {
      if (line !== undefined && line.trim() === "") return Effect.void
      const value = line === undefined ? undefined : parsed(line)
      if (value === undefined) {
        const why = line === undefined ? "The line is longer than 32 MiB." : "The line is not JSON."
        return send(refused(null, { code: errorCodes.parse, message: `${why} Send one JSON-RPC message a line.` }))
      }
      const message = readMessage(value)
      const changed = line === undefined ? undefined : change?.(line)
      if (changed !== undefined) {
        const id = message._tag === "Request" ? message.id : null
        return send(refused(id, { code: errorCodes.parse, message: changed }))
      }
      if (message._tag === "Notification" && message.method === "notifications/cancelled") {
        const fiber = running.get(message.params["requestId"])
        return fiber === undefined ? Effect.void : Effect.asVoid(Effect.forkDetach(Fiber.interrupt(fiber)))
      }
      if (message._tag !== "Request") return answer(message)
      const { id } = message
      return Effect.gen(function* () {
        const fiber = yield* Effect.forkDetach(
          Effect.ensuring(
            answer(message),
            Effect.sync(() => running.delete(id))
          )
        )
        // A short one may be over already.
        if (fiber.pollUnsafe() === undefined) running.set(id, fiber)
      })
    }

    const lines = linesOf(input)
    for (;;) {
      const next = yield* Effect.promise(() => lines.next())
      if (next.done === true) break
      yield* take(next.value)
    }
    yield* Effect.timeoutOption(Fiber.awaitAll([...running.values()]), patience)
  })
