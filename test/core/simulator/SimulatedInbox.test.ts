/** Mailboxes with a script: what is put in is read by its position. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import type { InboundMail } from "#core/email/InboundMail.ts"
import { InboxGateway, type InboxPosition, InboxProblem } from "#core/email/InboxGateway.ts"
import { InboxScript, layer } from "#memory/simulator/SimulatedInbox.ts"

const since = "2026-01-02T00:00:00.000Z"

const mail = (subject: string, date: string | null = null): InboundMail => ({
  ...{ messageId: `${subject}@lead.example`, references: [], from: null, to: [], subject, date },
  ...{ text: "", quoted: "", headers: new Map(), attachments: [], statuses: [], feedback: null, reported: null }
})

const open = (user: string) =>
  Effect.flatMap(InboxGateway, (gateway) =>
    gateway.open({
      ...{ host: "imap.example", port: 993, security: "tls", user, login: "password", folders: [] },
      secret: Redacted.make("secret")
    })
  )

it.layer(layer)("the simulated inbox", (it) => {
  it.effect("is read in order from a position on, and all again when it is numbered anew", () =>
    Effect.gen(function* () {
      const script = yield* InboxScript
      yield* script.put("a", mail("old", "2026-01-01T00:00:00.000Z"), mail("one"), mail("two", since), mail("three"))
      const inbox = yield* open("a")
      const read = (after: InboxPosition) =>
        Effect.map(inbox.read({ after, since, limit: 2 }), ({ mails, ...page }) => ({
          ...page,
          subjects: mails.map(({ subject }) => subject)
        }))
      const first = yield* read({})
      assert.deepInclude(first, { subjects: ["one", "two"], hasMore: true, unreadable: 0 })
      const second = yield* read(first.position)
      assert.deepInclude(second, { subjects: ["three"], hasMore: false })
      assert.deepInclude(yield* read(second.position), { ...second, subjects: [] })
      yield* script.renumber("a")
      assert.deepStrictEqual((yield* read(second.position)).subjects, ["one", "two"])
      const other = yield* open("b")
      assert.deepStrictEqual((yield* other.read({ after: {}, since, limit: 2 })).mails, [])
    })
  )

  it.effect("waits until something is put in, or its time is over", () =>
    Effect.gen(function* () {
      const script = yield* InboxScript
      const inbox = yield* open("c")
      yield* inbox.read({ after: {}, since, limit: 2 })
      const early = yield* Effect.forkChild(inbox.wait(1_000), { startImmediately: true })
      assert.isUndefined(early.pollUnsafe())
      yield* script.put("c", mail("one"))
      yield* Fiber.join(early)
      yield* inbox.wait(1_000)
      yield* inbox.read({ after: {}, since, limit: 2 })
      const late = yield* Effect.forkChild(inbox.wait(1_000), { startImmediately: true })
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(late)
    })
  )

  it.effect("fails with the problem that is told, until it is taken away", () =>
    Effect.gen(function* () {
      const script = yield* InboxScript
      const inbox = yield* open("d")
      yield* inbox.read({ after: {}, since, limit: 2 })
      const waiting = yield* Effect.forkChild(Effect.flip(inbox.wait(1_000)), { startImmediately: true })
      const problem = new InboxProblem({ kind: "login", detail: "Wrong password." })
      yield* script.break("d", problem)
      assert.strictEqual(yield* Fiber.join(waiting), problem)
      assert.strictEqual(yield* Effect.flip(open("d")), problem)
      assert.strictEqual(yield* Effect.flip(inbox.read({ after: {}, since, limit: 2 })), problem)
      yield* script.break("d", undefined)
      assert.deepStrictEqual((yield* (yield* open("d")).read({ after: {}, since, limit: 2 })).mails, [])
    })
  )
})
