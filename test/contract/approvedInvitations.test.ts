/** On every store: invitations, and the messages that wait for them, go to whom they were requested for. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { tokenOf } from "../core/leads/identity/arbitraries.ts"
import { inOrganization } from "../support/inOrganization.ts"
import { ok } from "../support/World.ts"
import {
  asked,
  askedGateways,
  asks,
  draftFor,
  linkOf,
  prepare,
  provider,
  relink,
  returned,
  round,
  stateOf
} from "./approvalWorld.ts"
import { eachBackendWith } from "./backends.ts"

eachBackendWith(askedGateways)("what was requested", (world) =>
  it.layer(world)((it) => {
    for (const [name, change, reason] of [
      [
        "profile",
        (lead_id: string) => ok("lead.upsert", { lead_id, linkedin_url: linkOf("mallory-2nd") }),
        "recipient_changed"
      ],
      ["account", () => relink, "account_changed"]
    ] as const) {
      it.effect(`a message that waits for a connection returns to review with another ${name}`, () =>
        Effect.gen(function* () {
          const lead_id = yield* prepare("grace-2nd")
          const draft_id = yield* draftFor(lead_id)
          yield* ok("linkedin.draft.approve", {
            draft_id,
            send_now: true,
            send_invitation: true,
            invitation_note: "Hi"
          })
          assert.deepStrictEqual(asks("invitation"), ["invitation first slug:grace-2nd"])
          yield* change(lead_id)
          provider.connected.add("slug:mallory-2nd")
          asked.length = 0
          yield* round
          assert.deepStrictEqual(asked, [])
          assert.deepStrictEqual(yield* stateOf(draft_id), returned(reason))
        }).pipe(inOrganization(`org_waiting_${name}`))
      )

      it.effect(`an invitation that waits is cancelled with another ${name}, and its message returns to review`, () =>
        Effect.gen(function* () {
          const lead_id = yield* prepare("grace-2nd")
          const draft_id = yield* draftFor(lead_id)
          provider.isBusy = true
          yield* ok("linkedin.draft.approve", {
            draft_id,
            send_now: true,
            send_invitation: true,
            invitation_note: "Hi"
          })
          assert.deepStrictEqual(asks("invitation"), ["invitation first slug:grace-2nd"])
          yield* change(lead_id)
          yield* round
          assert.lengthOf(asks("invitation"), 1)
          const { items } = yield* ok("linkedin.queue.list", { kind: "invitation", state: ["cancelled"] })
          assert.deepStrictEqual([items.length, items[0].reason], [1, reason])
          assert.deepStrictEqual(yield* stateOf(draft_id), returned(reason))
        }).pipe(inOrganization(`org_inviting_${name}`))
      )
    }

    it.effect("an invitation is for the profile shown at its request, when it is retried and withdrawn too", () =>
      Effect.gen(function* () {
        const lead_id = yield* prepare("grace-2nd")
        provider.isBusy = true
        const { invitation_id } = yield* ok("linkedin.invitation.send", { lead_id, note: "For Grace" })
        yield* ok("lead.upsert", { lead_id, linkedin_id: tokenOf(0x2a, 77) })
        yield* round
        provider.isBusy = false
        yield* round
        yield* ok("linkedin.invitation.withdraw", { invitation_id })
        assert.deepStrictEqual(asks("invitation"), Array(3).fill("invitation first slug:grace-2nd"))
        assert.deepStrictEqual(asks("withdrawal"), ["withdrawal first slug:grace-2nd"])
      }).pipe(inOrganization("org_invitation"))
    )

    it.effect("a queued invitation that is requested for another profile does not keep the note for the first", () =>
      Effect.gen(function* () {
        const lead_id = yield* prepare("grace-2nd")
        provider.isBusy = true
        yield* ok("linkedin.invitation.send", { lead_id, note: "For Grace" })
        yield* ok("lead.upsert", { lead_id, linkedin_url: linkOf("mallory-2nd") })
        yield* ok("linkedin.invitation.send", { lead_id })
        provider.isBusy = false
        yield* round
        assert.deepStrictEqual(asks("invitation"), [
          "invitation first slug:grace-2nd",
          "invitation first slug:mallory-2nd"
        ])
        const { item } = yield* ok("review.get", {
          item_id: (yield* ok("linkedin.queue.list", { state: ["pending"] })).items[0].queue_id
        })
        assert.strictEqual(item.preview, "")
      }).pipe(inOrganization("org_other_note"))
    )
  })
)
