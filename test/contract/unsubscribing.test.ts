/** Unsubscribing on every store: by the token of an e-mail, whichever way it comes back, and how often. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { OutgoingEmail } from "#core/email/EmailGateway.ts"
import { unsubscribeByToken } from "#core/email/unsubscribe.ts"
import { PublicUrl } from "#core/kernel/command/Execution.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import { organization } from "../support/organization.ts"
import { code, lead, ok } from "../support/World.ts"
import { eachBackendWith } from "./backends.ts"
import { events, keptMail, mail, prepare, receive, said, send, stateOf, write } from "./mailWorld.ts"

const grace = lead({ name: "Grace", email: "grace@lead.example" })

const statusOf = (lead_id: string) => Effect.map(ok("lead.get", { lead_id }), ({ lead: found }) => found.status)

const tokenOf = ({ unsubscribe }: OutgoingEmail): string =>
  /subject=unsubscribe%20([\w-]{43})$/.exec(unsubscribe?.mailto ?? "")?.[1] ?? assert.fail("no token")

const unsubscribing = (token: string, address = "grace@lead.example") =>
  mail({ subject: `unsubscribe ${token}`, from: { name: "", address }, text: "" })

eachBackendWith(keptMail)("unsubscribing", (world) =>
  it.layer(world)((it) => {
    it.effect("by a click opts the person out, once, and cancels what waits", () =>
      Effect.gen(function* () {
        const address = yield* prepare()
        const lead_id = yield* grace
        const at = (url: string | undefined) => Effect.provideService(PublicUrl, () => url)
        const { left } = yield* at("https://svc.example")(send(lead_id))
        const token = tokenOf(left)
        assert.deepStrictEqual(left.unsubscribe, {
          mailto: `mailto:${address}?subject=unsubscribe%20${token}`,
          url: `https://svc.example/unsubscribe/${token}`
        })
        const insecure = yield* at("http://svc.example")(send(lead_id, { subject: "Second" }))
        assert.isNull(insecure.left.unsubscribe?.url)
        assert.notStrictEqual(tokenOf(insecure.left), token)
        const queued = yield* write(lead_id, { subject: "Third" })
        yield* unsubscribeByToken(token)
        assert.strictEqual(yield* statusOf(lead_id), "DoNotContact")
        assert.strictEqual(yield* stateOf(queued), "cancelled lead_suppressed")
        const changes = (yield* events("lead.status_changed,lead.suppressed")).length
        yield* unsubscribeByToken(token)
        yield* unsubscribeByToken(tokenOf(insecure.left))
        assert.lengthOf(yield* events("lead.status_changed,lead.suppressed"), changes)
        const again = { lead_id, mission_id: "spring", subject: "Once more", body_text: "Hello" }
        assert.strictEqual(yield* code("email.send", again), "LEAD_SUPPRESSED")
      }).pipe(inOrganization("org_unsub_click"))
    )

    it.effect("by mail opts out the person of the token, whoever writes, and is no reply", () =>
      Effect.gen(function* () {
        yield* prepare()
        const lead_id = yield* grace
        const { left } = yield* send(lead_id)
        const one = unsubscribing(tokenOf(left), "assistant@elsewhere.example")
        yield* receive(one, one, {
          ...unsubscribing(tokenOf(left)),
          headers: new Map([["auto-submitted", "auto-generated"]])
        })
        assert.strictEqual(yield* statusOf(lead_id), "DoNotContact")
        assert.deepStrictEqual(yield* said(lead_id), [])
        assert.deepStrictEqual(yield* events("lead.replied,email.auto_replied"), [])
      }).pipe(inOrganization("org_unsub_mail"))
    )

    it.effect("works after a merge, and after an erasure there is nobody left to write to", () =>
      Effect.gen(function* () {
        yield* prepare()
        const [winner, loser] = [
          yield* lead({ email: "winner@lead.example" }),
          yield* lead({ email: "loser@lead.example" })
        ]
        const { left } = yield* send(loser)
        yield* ok("lead.merge", { winner_lead_id: winner, loser_lead_ids: [loser] })
        yield* unsubscribeByToken(tokenOf(left))
        assert.strictEqual(yield* statusOf(winner), "DoNotContact")
        const erased = yield* lead({ email: "erased@lead.example" })
        const second = yield* send(erased)
        yield* ok("lead.erase", { lead_id: erased, confirm: erased })
        yield* unsubscribeByToken(tokenOf(second.left))
        yield* receive(unsubscribing(tokenOf(second.left)))
        assert.strictEqual(yield* code("lead.get", { lead_id: erased }), "NOT_FOUND")
      }).pipe(inOrganization("org_unsub_gone"))
    )

    it.effect("with an unknown token does nothing, and by mail is an ordinary reply", () =>
      Effect.gen(function* () {
        yield* prepare()
        const lead_id = yield* grace
        const { left } = yield* send(lead_id)
        const forged = tokenOf(left).split("").toReversed().join("")
        for (const token of [forged, "", "x".repeat(10_000), "a\u0000b"]) {
          const failed = yield* Effect.flip(unsubscribeByToken(token))
          assert.strictEqual(failed.code, "NOT_FOUND")
        }
        yield* receive({ ...unsubscribing(forged), text: "Hello?" })
        assert.strictEqual(yield* statusOf(lead_id), "Replied")
        assert.deepStrictEqual(yield* said(lead_id), ["Hello?"])
      }).pipe(inOrganization("org_unsub_unknown"))
    )

    it.effect("by a mail to another organization opts nobody out there or here", () =>
      Effect.gen(function* () {
        yield* prepare()
        const lead_id = yield* grace
        const { left } = yield* send(lead_id)
        yield* organization("org_unsub_there")
        const there = Effect.provideService(CurrentOrganization, "org_unsub_there")
        yield* there(prepare())
        yield* there(receive(unsubscribing(tokenOf(left))))
        assert.strictEqual(yield* statusOf(lead_id), "Contacted")
      }).pipe(inOrganization("org_unsub_here"))
    )
  })
)
