import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { SendResult } from "#core/outreach/provider/ProviderReads.ts"
import { limitSeconds, readError } from "#providers/unipile/UnipileRefusal.ts"
import { account, bySlug, to, withFake } from "./unipileWorld.ts"

/** Every error of the provider and what a message that meets it becomes: a refusal kind, or the other two ends. */
const rows: ReadonlyArray<readonly [status: number, type: string, end: string]> = [
  [400, "invalid_parameters", "invalid"],
  [400, "malformed_request", "invalid"],
  [400, "content_too_large", "invalid"],
  [400, "invalid_url", "invalid"],
  [400, "too_many_characters", "invalid"],
  [400, "unescaped_characters", "invalid"],
  [400, "missing_parameters", "invalid"],
  [401, "missing_credentials", "Unavailable"],
  [401, "multiple_sessions", "account_down"],
  [401, "wrong_account", "account_down"],
  [401, "invalid_credentials", "account_down"],
  [401, "expired_credentials", "account_down"],
  [401, "invalid_checkpoint_solution", "account_down"],
  [401, "checkpoint_error", "account_down"],
  [401, "expired_link", "account_down"],
  [401, "insufficient_privileges", "Unavailable"],
  [401, "disconnected_account", "account_down"],
  [401, "disconnected_feature", "account_down"],
  [403, "account_restricted", "account_restricted"],
  [403, "insufficient_permissions", "invalid"],
  [403, "session_mismatch", "account_down"],
  [403, "feature_not_subscribed", "invalid"],
  [403, "subscription_required", "invalid"],
  [403, "unknown_authentication_context", "account_down"],
  [403, "resource_access_restricted", "unreachable"],
  [404, "resource_not_found", "unreachable"],
  [404, "invalid_resource_identifier", "unreachable"],
  [408, "request_timeout", "Unknown"],
  [422, "invalid_account", "account_down"],
  [422, "invalid_recipient", "unreachable"],
  [422, "no_connection_with_recipient", "not_connected"],
  [422, "blocked_recipient", "blocked"],
  [422, "user_unreachable", "unreachable"],
  [422, "unprocessable_entity", "invalid"],
  [422, "action_already_performed", "already_connected"],
  [422, "invalid_message", "invalid"],
  [422, "not_allowed_inmail", "credits"],
  [422, "insufficient_credits", "credits"],
  [422, "cannot_resend_yet", "limit"],
  [422, "cannot_resend_within_24hrs", "limit"],
  [422, "limit_exceeded", "limit"],
  [422, "connection_limit_reached", "limit"],
  [422, "already_invited_recently", "already_pending"],
  [422, "already_connected", "already_connected"],
  [422, "cannot_invite_attendee", "unreachable"],
  [422, "sender_rejected", "blocked"],
  [422, "recipient_rejected", "blocked"],
  [422, "provider_unreachable", "Unknown"],
  [429, "too_many_requests", "limit"],
  [500, "unexpected_error", "Unknown"],
  [500, "provider_error", "Unknown"],
  [501, "feature_not_implemented", "invalid"],
  [503, "no_client_session", "Unavailable"],
  [503, "no_channel", "Unavailable"],
  [503, "no_handler", "Unavailable"],
  [503, "network_down", "Unavailable"],
  [503, "service_unavailable", "Unavailable"],
  [504, "gateway_timeout", "Unknown"],
  // A 5xx proves nothing, whatever its words; a status that nobody documents neither.
  [500, "blocked_recipient", "Unknown"],
  [502, "limit_exceeded", "Unknown"],
  [422, "some_new_word", "invalid"],
  [418, "some_new_word", "invalid"]
]

const endOf = (result: SendResult): string => (result._tag === "Refused" ? result.kind : result._tag)

describe("what an error of the provider means", () => {
  for (const action of ["message", "invite"] as const) {
    it.live(`for every documented error of a ${action}`, () =>
      withFake(["ann", "bea-2nd"], ({ fake, gateway }) =>
        Effect.gen(function* () {
          for (const [status, type, end] of rows) {
            fake.scripts.add({ action, accept: false, answer: { status, type: `errors/${type}` }, times: 1 })
            const before = fake.seen.filter(({ method }) => method === "POST").length
            const result = yield* action === "message"
              ? gateway.startChat(account, { ...to(bySlug("ann")), text: "Hello" })
              : gateway.sendInvitation(account, { ...to(bySlug("bea-2nd")), note: null })
            const isMaybeDone = action === "message" && type === "action_already_performed"
            assert.strictEqual(endOf(result), isMaybeDone ? "Unknown" : end, `${status} ${type}`)
            assert.strictEqual(fake.seen.filter(({ method }) => method === "POST").length, before + 1, "one request")
            if (result._tag === "Refused") assert.strictEqual(result.providerCode, `errors/${type}`)
            if (end === "limit") assert.strictEqual(result._tag === "Refused" && result.retryAfterSeconds, limitSeconds)
          }
          assert.lengthOf(fake.world.ledger, 0)
        })
      )
    )
  }

  it("takes the provider's own advice on when to try again", () => {
    const limit = { status: 429, type: "errors/too_many_requests" }
    assert.deepInclude(readError(429, limit, "30"), { kind: "limit", retryAfterSeconds: 30 })
    assert.deepInclude(readError(429, limit, "0"), { retryAfterSeconds: 1 })
    assert.deepInclude(readError(429, limit, "99999999"), { retryAfterSeconds: 7 * 86_400 })
    assert.deepInclude(readError(429, limit, "Wed, 21 Oct 2026 07:28:00 GMT"), { retryAfterSeconds: limitSeconds })
    assert.deepInclude(readError(429, undefined, undefined), { kind: "limit" })
  })

  it("tells a missing account from a missing person", () => {
    const type = "errors/resource_not_found"
    assert.deepInclude(readError(404, { type, title: "Account not found" }, undefined), { kind: "account_down" })
    assert.deepInclude(readError(404, { type, title: "Not found" }, undefined), { kind: "unreachable" })
  })

  it("takes no page of a proxy as final", () => {
    for (const status of [400, 403, 404, 405, 410, 413, 422]) {
      assert.deepInclude(readError(status, undefined, undefined), { kind: "transient" }, String(status))
    }
    for (const status of [301, 307, 308, 408, 421, 500, 502, 504, 520]) {
      assert.strictEqual(readError(status, undefined, undefined)._tag, "Broken", String(status))
    }
    assert.strictEqual(readError(503, undefined, undefined)._tag, "Unavailable")
    assert.strictEqual(readError(401, undefined, undefined)._tag, "Misconfigured")
  })
})
