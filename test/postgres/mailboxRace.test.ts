/** Mails and mailboxes that two processes reach for at the same moment. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AgentsRepo } from "#core/agents/Agent.ts"
import { MailboxesRepo } from "#core/email/MailboxesRepo.ts"
import { Transaction } from "#core/kernel/journal/Journal.ts"
import * as Repositories from "#postgres/repositories.ts"
import { agentRow } from "../contract/outreachRows.ts"
import { hasPostgres, postgresLayer } from "../support/backends.ts"
import { organization } from "../support/organization.ts"

const rounds = 200
const at = "2026-01-05T09:00:00.000Z"
const email = "ada@example.com"
const account = { host: "imap.example", port: 993, security: "tls", user: email, login: "token", folders: [] } as const
const request = { organizationId: "org_m", now: at, leaseSeconds: 60, limit: 5 }

describe.skipIf(!hasPostgres())("two processes", () => {
  it.layer(Repositories.layer.pipe(Layer.provideMerge(postgresLayer)), { excludeTestServices: true })((it) => {
    it.effect(`take a mail in once and an inbox once, in ${rounds} rounds`, () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const repo = yield* MailboxesRepo
        yield* organization("org_m")
        const agent = { ...agentRow("org_m", "agt_1", "ada"), emailAccounts: [{ provider: "IMAP", email } as const] }
        yield* (yield* AgentsRepo).insert(agent, ["ada"])
        for (let round = 0; round < rounds; round++) {
          const hash = String(round)
          // Every third time one of them fails after it took the mail, so that the other has it.
          const failing = round % 3 === 0
          const takeMail = (before: number, fails: boolean) =>
            Effect.gen(function* () {
              yield* Effect.sleep(before)
              const isNew = yield* repo.takeMail("org_m", { hash, at })
              yield* Effect.sleep(round % 5)
              return isNew && fails ? yield* Effect.fail("undone") : isNew
            }).pipe(
              run,
              Effect.catch(() => Effect.succeed(false))
            )
          const mails = yield* Effect.all(
            [takeMail(0, failing), takeMail(round % 3, false), takeMail(round % 2, false)],
            {
              concurrency: "unbounded"
            }
          )
          assert.strictEqual(mails.filter((isNew) => isNew).length, 1, `mail of round ${round}`)
          yield* repo.saveInbox("org_m", email, { account, secret: null, since: at }, at)
          const taken = yield* Effect.all(
            Array.from({ length: 4 }, () => repo.takeInboxes(request)),
            { concurrency: "unbounded" }
          )
          assert.strictEqual(taken.flat().length, 1, `inbox of round ${round}`)
        }
      })
    )
  })
})
