/** What a span lets through. */

import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Tracer from "effect/Tracer"
import { NotFound } from "#core/kernel/failure/failures.ts"
import { redactingTracer } from "#embed/Telemetry.ts"

/** Everything that spans hold when the effect has ended. */
const spansOf = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const spans: Array<Tracer.NativeSpan> = []
    const inner = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    yield* Effect.exit(Effect.provideService(effect, Tracer.Tracer, redactingTracer(inner)))
    return spans
  })

const errorOf = (span: Tracer.NativeSpan | undefined): string => {
  if (span?.status._tag !== "Ended" || Exit.isSuccess(span.status.exit)) return "none"
  return Cause.prettyErrors(span.status.exit.cause)
    .map((error) => `${error.message}|${error.stack}`)
    .join()
}

describe("a careful tracer", () => {
  it.effect("lets attributes through by name, and neither events nor links", () =>
    Effect.gen(function* () {
      const [span] = yield* spansOf(
        Effect.useSpan("command x", { attributes: { "url.full": "https://canary", "svc.command": "x" } }, (made) =>
          Effect.sync(() => {
            made.attribute("http.request.header.authorization", "canary")
            made.attribute("db.query.text", `select\n  1 ${"x".repeat(5_000)}`)
            made.event("canary", 1n, { text: "canary" })
            made.addLinks([{ span: made, attributes: { text: "canary" } }])
          })
        )
      )
      assert.deepStrictEqual([...(span?.attributes.keys() ?? [])], ["svc.command", "db.query.text"])
      const text = String(span?.attributes.get("db.query.text"))
      assert.isTrue(text.startsWith("select 1 xxx"))
      assert.isAtMost(text.length, 2_000)
      assert.deepStrictEqual([span?.events, span?.links], [[], []])
    })
  )

  it.effect("says of an error its code, and nothing that its message says", () =>
    Effect.gen(function* () {
      const causes: ReadonlyArray<readonly [Effect.Effect<never, unknown>, string]> = [
        [Effect.fail(new NotFound({ kind: "secret", message: "canary" })), "NOT_FOUND"],
        [Effect.fail({ _tag: "SqlError", message: "canary", detail: "Key (email)=(canary)" }), "SqlError"],
        [Effect.die(new TypeError("canary", { cause: new Error("canary") })), "TypeError"],
        [Effect.die("canary"), "unknown"]
      ]
      for (const [effect, code] of causes) {
        const [span] = yield* spansOf(Effect.useSpan("command x", () => effect))
        const said = errorOf(span)
        assert.match(said, new RegExp(`^${code}\\|`))
        assert.notInclude(said, "canary")
      }
    })
  )

  it.effect("begins a trace with a request, a command or work, and with nothing else", () =>
    Effect.gen(function* () {
      const inner = Effect.useSpan("postgres", { kind: "client" }, () => Effect.void)
      for (const [name, isSampled] of [
        ["command lead.get", true],
        ["work send", true],
        ["postgres", false],
        ["commands", false]
      ] as const) {
        const spans = yield* spansOf(Effect.useSpan(name, (span) => Effect.withParentSpan(inner, span)))
        assert.deepStrictEqual(
          spans.map(({ sampled }) => sampled),
          [isSampled, isSampled],
          name
        )
      }
      const [server] = yield* spansOf(Effect.useSpan("GET /x", { kind: "server" }, () => Effect.void))
      assert.strictEqual(server?.sampled, true)
    })
  )
})
