/** On every store: e-mails go from and to the addresses that were approved. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { inOrganization } from "../support/inOrganization.ts"
import { ok, refused } from "../support/World.ts"
import { askedGateways, asks, linkOf, prepare, provider, round } from "./approvalWorld.ts"
import { eachBackendWith } from "./backends.ts"

eachBackendWith(askedGateways)("an approved email", (world) =>
  it.layer(world)((it) => {
    const emailFor = Effect.fnUntraced(function* (lead_id: string) {
      const written = { subject: "Invoices", body_text: "Hello" }
      const { email } = yield* ok("email.send", { lead_id, mission_id: "spring", ...written })
      return String(email.email_id)
    })
    const shownEmail = Effect.fnUntraced(function* (email_id: string) {
      const { email, item } = yield* ok("review.get", { item_id: email_id })
      return { email, said: [email.state, email.reason, email.from, email.lead.email, item.problem !== null] }
    })
    const decide = (review_id: string, content_hash: string) =>
      ok("email.review.decide", { review_id, decision: "approve", content_hash })

    it.effect("an email returns to review with another address, and leaves for that one once it is approved", () =>
      Effect.gen(function* () {
        const lead_id = yield* prepare()
        const email_id = yield* emailFor(lead_id)
        provider.isBusy = true
        yield* ok("lead.upsert", { lead_id, email: " GRACE@Example.com ", linkedin_url: linkOf("mallory") })
        yield* round
        assert.deepStrictEqual(asks("email"), ["email ada@sender.example grace@example.com"])
        yield* ok("lead.upsert", { lead_id, email: "mallory@example.com" })
        yield* round
        assert.lengthOf(asks("email"), 1)
        const { email, said } = yield* shownEmail(email_id)
        assert.deepStrictEqual(said, [
          "in_review",
          "recipient_changed",
          "ada@sender.example",
          "mallory@example.com",
          true
        ])
        provider.isBusy = false
        yield* decide(email_id, email.content_hash)
        yield* round
        assert.strictEqual(asks("email").at(-1), "email ada@sender.example mallory@example.com")
      }).pipe(inOrganization("org_email"))
    )

    it.effect(
      "an email returns to review with another sender, and one that the agent gets beside it changes nothing",
      () =>
        Effect.gen(function* () {
          const lead_id = yield* prepare()
          const email_id = yield* emailFor(lead_id)
          const setAddresses = (...addresses: ReadonlyArray<string>) =>
            ok("agent.update", {
              agent_handle: "ada-martin",
              email_accounts: addresses.map((address) => ({ provider: "SMTP", email: address }))
            })
          provider.isBusy = true
          yield* setAddresses("new@sender.example", "Ada@sender.example")
          yield* round
          assert.deepStrictEqual(asks("email"), ["email ada@sender.example grace@example.com"])
          const read = (yield* shownEmail(email_id)).email.content_hash
          yield* setAddresses("new@sender.example")
          yield* round
          assert.lengthOf(asks("email"), 1)
          const { email, said } = yield* shownEmail(email_id)
          assert.deepStrictEqual(said, [
            "in_review",
            "account_changed",
            "new@sender.example",
            "grace@example.com",
            true
          ])
          const stale = { review_id: email_id, decision: "approve", content_hash: read }
          assert.include(yield* refused("email.review.decide", stale), "409 CONTENT_CHANGED")
          provider.isBusy = false
          yield* decide(email_id, email.content_hash)
          yield* round
          assert.strictEqual(asks("email").at(-1), "email new@sender.example grace@example.com")
        }).pipe(inOrganization("org_email_sender"))
    )
  })
)
