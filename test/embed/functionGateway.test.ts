/** A gateway of a host's functions: what they return and throw, as the service and its callers see it. */
import { assert, describe, it } from "@effect/vitest"
import { createSvc, defineGateway, type GatewayDefinition, SvcError, type WriteOutcome } from "@svc/embed"

const account = { gatewayAccountId: "outbox-1" }
const connected = { connected: true, chatId: "chat-1", invitation: "none" } as const

/** A gateway that confirms everything, but for what a test says. */
const gatewayWith = (changes: Partial<GatewayDefinition> = {}) =>
  defineGateway({
    name: "outbox",
    automaticAccount: () => account,
    relation: async () => connected,
    sendToChat: async () => ({ outcome: "confirmed", messageId: "m-1" }),
    startChat: async () => ({ outcome: "confirmed" }),
    sendInvitation: async () => ({ outcome: "confirmed" }),
    ...changes
  })

const serviceWith = (changes: Partial<GatewayDefinition>) =>
  createSvc({
    databaseUrl: "memory:",
    worker: false,
    env: { SVC_LOG_LEVEL: "none" },
    gateway: gatewayWith(changes)
  })

/** Drafts, approves and sends a message; what became of it, in one line. */
const sentWith = async (changes: Partial<GatewayDefinition>): Promise<string> => {
  const svc = await serviceWith(changes)
  await svc.agents.create({ first_name: "Ada", last_name: "Martin" })
  const { lead_id } = await svc.leads.upsert({ linkedin_url: "https://www.linkedin.com/in/grace-hopper" })
  const { draft } = await svc.linkedin.draft.create({ lead_id, variations: [{ body_text: "Hello Grace" }] })
  const envelope = await svc.commands.run("linkedin.draft.approve", { draft_id: draft.draft_id, send_now: true })
  await svc.close()
  return envelope.ok ? (envelope.data.dispatch_result?.status ?? "none") : envelope.error.code
}

const odd = (outcome: unknown) => async () => outcome as WriteOutcome

describe("a gateway of functions", () => {
  const writes: ReadonlyArray<readonly [string, GatewayDefinition["sendToChat"], string]> = [
    ["confirms", async () => ({ outcome: "confirmed" }), "sent"],
    ["refuses for good", async () => ({ outcome: "refused", kind: "blocked", code: "x" }), "GATEWAY_REJECTED"],
    ["is unavailable", async () => ({ outcome: "unavailable" }), "queued"],
    ["does not know", async () => ({ outcome: "unknown" }), "SEND_OUTCOME_UNKNOWN"],
    ["rejects", async () => Promise.reject(new Error("socket hang up")), "SEND_OUTCOME_UNKNOWN"],
    [
      "throws at once",
      () => {
        throw new Error("socket hang up")
      },
      "SEND_OUTCOME_UNKNOWN"
    ],
    [
      "throws a failure, even one that a retry could help",
      async (_account, _delivery, { fail }) => Promise.reject(fail("UNAVAILABLE", "Busy.")),
      "SEND_OUTCOME_UNKNOWN"
    ],
    ["returns nothing", odd(undefined), "SEND_OUTCOME_UNKNOWN"],
    ["returns an unknown word", odd({ outcome: "sent" }), "SEND_OUTCOME_UNKNOWN"],
    ["refuses for no known reason", odd({ outcome: "refused", kind: "bored" }), "SEND_OUTCOME_UNKNOWN"]
  ]
  for (const [name, sendToChat, expected] of writes) {
    it(`that ${name}`, async () => {
      assert.strictEqual(await sentWith({ sendToChat }), expected)
    })
  }

  it("that never answers in time has an unknown outcome, and is told that nobody waits", async () => {
    let isAborted = false
    const sendToChat: GatewayDefinition["sendToChat"] = (_account, _delivery, { signal }) =>
      new Promise(() => signal.addEventListener("abort", () => (isAborted = true)))
    assert.strictEqual(await sentWith({ sendToChat, timeouts: { write: 20 } }), "SEND_OUTCOME_UNKNOWN")
    assert.isTrue(isAborted)
  })

  for (const relation of [
    async () => Promise.reject(new Error("no route")),
    async () => ({ outcome: "unavailable" }) as const,
    async () => ({}) as never
  ])
    it(`that can't tell the relation sends nothing: ${relation}`, async () => {
      assert.strictEqual(await sentWith({ relation, sendToChat: async () => assert.fail("sent") }), "queued")
    })

  const reads: ReadonlyArray<readonly [string, Partial<GatewayDefinition>, string]> = [
    ["is left out", {}, "GATEWAY_UNCONFIGURED"],
    ["throws", { listMessages: async () => Promise.reject(new Error("x")) }, "GATEWAY_ERROR"],
    ["returns nothing", { listMessages: async () => undefined as never }, "GATEWAY_ERROR"],
    [
      "fails with a code of reads",
      { listMessages: async (_a, _i, { fail }) => Promise.reject(fail("USAGE_LIMIT", "Tomorrow.")) },
      "USAGE_LIMIT Tomorrow."
    ],
    [
      "fails with another code",
      { listMessages: async (_a, _i, { fail }) => Promise.reject(fail("WRONG_STATE" as never, "x")) },
      "GATEWAY_ERROR"
    ]
  ]
  for (const [name, changes, expected] of reads) {
    it(`whose read ${name}`, async () => {
      const svc = await serviceWith(changes)
      await svc.agents.create({ first_name: "Ada", last_name: "Martin" })
      const { lead_id } = await svc.leads.upsert({ linkedin_url: "https://www.linkedin.com/in/grace-hopper" })
      const envelope = await svc.commands.run("linkedin.conversation.sync", { lead_id })
      assert.ok(!envelope.ok)
      const { code, message } = envelope.error
      assert.isTrue(`${code} ${message}`.startsWith(expected), `${code} ${message}`)
      await svc.close()
    })
  }

  it("is refused with what it lacks", async () => {
    const refusal = async (gateway: unknown) => {
      const starting = createSvc({ databaseUrl: "memory:", gateway: gateway as GatewayDefinition })
      const error = await starting.then(
        () => assert.fail("it started"),
        (thrown: unknown) => thrown
      )
      assert.instanceOf(error, SvcError)
      return `${error.code} ${error.message}`
    }
    const { startChat: _, ...silent } = gatewayWith()
    assert.strictEqual(await refusal(silent), "INVALID_INPUT gateway.startChat is required.")
    assert.match(await refusal({ ...silent, name: "My Provider" }), /gateway\.name must be lower-case words/)
    assert.match(await refusal({}), /gateway\.name is required/)
  })
})
