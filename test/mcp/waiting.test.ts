/** A call that waits for its client's user ends with the client. */
import { assert, it } from "@effect/vitest"
import { at, openService } from "../support/httpService.ts"
import { rpc } from "../support/mcpHttp.ts"

it("a call looks at its request no more when the client has gone", async () => {
  /** Looks at each request, and who waits for how many of them. */
  const looks = new Map<string, number>()
  let onLook = (): void => undefined
  const looksAt = (id: string): number => looks.get(id) ?? 0
  const untilLooks = (id: string, count: number) =>
    new Promise<void>((resolve) => {
      onLook = () => (looksAt(id) >= count ? resolve() : undefined)
    })
  const service = await openService({
    hooks: {
      before: ({ command, input }) => {
        if (command !== "approval.get") return
        const id = String(at(input, "approval_request_id"))
        looks.set(id, looksAt(id) + 1)
        onLook()
      }
    }
  })
  const { keyId, text: key } = await service.makeKey({ name: "Agent", actorKind: "AI_AGENT", scopes: ["admin"] })
  const done = (command: string, json: unknown) => service.ask("POST", `/api/v1/commands/${command}`, { json })
  await done("policy.set", { key_id: keyId, mutate: "ask" })
  await done("policy.set", { client_answers: true })
  const send = (body: unknown, more: Readonly<Record<string, string>> = {}) => {
    const accept = "application/json, text/event-stream"
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", accept, ...more }
    const init = { method: "POST", headers, body: JSON.stringify(body) }
    return service.svc.fetch(new Request("http://127.0.0.1/mcp?toolset=all", init))
  }
  const start = { protocolVersion: "2025-11-25", capabilities: { elicitation: {} }, clientInfo: { name: "An editor" } }
  const session = { "mcp-session-id": (await send(rpc("initialize", start))).headers.get("mcp-session-id") ?? "" }
  /** Calls a tool that is held, and reads the question. */
  const waiting = async (first_name: string) => {
    const call = rpc("tools/call", { name: "agent_create", arguments: { first_name, last_name: "Lo" } })
    const reader = (await send(call, session)).body?.getReader()
    const event = new TextDecoder().decode((await reader?.read())?.value)
    assert.include(event, '"method":"elicitation/create"')
    const { approvals } = Object(at((await done("approval.list", { limit: 1 })).body, "data"))
    return { id: String(approvals[0].approval_request_id), leave: () => reader?.cancel() }
  }
  const first = await waiting("Mia")
  await untilLooks(first.id, 2)
  await first.leave()
  const left = looksAt(first.id)
  const second = await waiting("Nia")
  await untilLooks(second.id, 6)
  await second.leave()
  assert.isAtMost(looksAt(first.id), left + 1)
  await service.svc.close()
})
