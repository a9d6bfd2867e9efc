/** `svc approve` against a running service. */
import { createServer } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { svcInProcess } from "../support/svcInProcess.ts"
import { oneJson, type RunningSvc, startSvc, svc } from "../support/svcProcess.ts"

describe("svc approve", () => {
  let server: RunningSvc
  let env: Readonly<Record<string, string>>
  beforeAll(async () => {
    server = await startSvc(["dev", "--sample"], { env: { SVC_DATABASE_URL: "memory:", SVC_RATE_LIMIT: "0" } })
    env = { SVC_BASE_URL: server.url, SVC_API_KEY: String(server.ready["api_key"]) }
  })
  afterAll(() => server.stop())
  const run = (...args: ReadonlyArray<string>) => svcInProcess(args, { env })
  const data = async (...args: ReadonlyArray<string>) => Object(oneJson(await run(...args, "--json"))["data"])

  const drafted = async (name: string, ...texts: ReadonlyArray<string>): Promise<string> => {
    const url = `https://www.linkedin.com/in/${name.toLowerCase().replaceAll(" ", "-")}`
    const { lead_id } = await data(
      "lead",
      "upsert",
      "--name",
      name,
      "--linkedin-url",
      url,
      "--email",
      `${url.split("/in/")[1]}@example.com`
    )
    const flags = texts.flatMap((text) => ["--variations", text])
    const { draft } = await data(
      "linkedin",
      "draft",
      "create",
      "--lead-id",
      lead_id,
      "--agent-handle",
      "ada-martin",
      ...flags
    )
    return draft.draft_id
  }
  const approved = async (id: string) => {
    const { draft } = await data("linkedin", "draft", "get", id)
    return draft.selected_body_text
  }

  it("finds the only open draft of a person by name, email or id, shows it, and says when it sends", async () => {
    for (const [name, word] of [
      ["Vera Molnar", "molnar"],
      ["Hedy Lamarr", "hedy-lamarr@example.com"],
      ["Annie Easley", ""]
    ] as const) {
      const id = await drafted(name, `Hello ${name}, how are you?`)
      const { code, stderr, stdout } = await run("approve", word || id)
      assert.deepStrictEqual([code, stdout], [0, ""], stderr)
      assert.include(stderr, `Hello ${name}, how are you?`)
      assert.include(stderr, `${name}, message, from Ada Martin`)
      assert.match(stderr, new RegExp(`svc: ${name}: approved\\. Sends \\w{3} \\d\\d:\\d\\d`))
      assert.strictEqual(await approved(id), `Hello ${name}, how are you?`)
      const again = await run("approve", id)
      assert.deepStrictEqual([again.code, again.stderr.includes("is not waiting for approval")], [4, true])
    }
  })

  it("of several texts one is named, and of several drafts an id", async () => {
    const id = await drafted("Mary Jackson", "Hello Mary, one?", "Hello Mary, two?")
    const unnamed = await run("approve", id, "--yes")
    assert.deepStrictEqual([unnamed.code, unnamed.stderr.includes("has 2 texts. Add --text 1.")], [2, true])
    const beyond = await run("approve", id, "--text", "3")
    assert.include(beyond.stderr, "--text must be a whole number from 1 to 2.")
    const other = await drafted("Mary Shelley", "Hello Mary, a book?")
    const several = await run("approve", "mary")
    assert.deepStrictEqual([several.code, several.stderr.includes(`Mary Jackson (${id})`)], [2, true])
    const both = await run("approve", id, other, "--text", "1", "--json")
    assert.deepStrictEqual(
      Object(oneJson(both))["approved"].map(({ item_id }: { item_id: string }) => item_id),
      [id, other]
    )
    assert.deepStrictEqual([await approved(id), await approved(other)], ["Hello Mary, one?", "Hello Mary, a book?"])
    assert.strictEqual((await run("approve", "Nobody Here")).code, 4)
  })

  it("sends a draft at a time or on the next working morning, and no request", async () => {
    const id = await drafted("Ada Yonath", "Hello Ada, any time?")
    const past = await run("approve", id, "--not-before", "2020-01-01T09:00:00Z")
    assert.deepStrictEqual([past.code, past.stderr.includes("must be in the future")], [2, true], past.stderr)
    const { code, stderr } = await run("approve", id, "--not-before", "next_morning")
    assert.strictEqual(code, 0, stderr)
    assert.match(stderr, /svc: Ada Yonath: approved\. Sends \w{3} \d\d:\d\d, at the time that its approver set\./)
    const request = await run("approve", "apr_SAMPLE00000000000000000001", "--not-before", "next_morning")
    assert.include(request.stderr, "is neither a draft nor an email. Approve it without --not-before.")
    assert.strictEqual(request.code, 2)
  })

  it("approves emails and requests by their ids", async () => {
    const email = await run("approve", "eml_SAMPLE00000000000000000001")
    assert.match(email.stderr, /Grace Hopper: approved\./)
    const request = await run("approve", "apr_SAMPLE00000000000000000001")
    assert.match(request.stderr, /Update an offer: approved and run\./)
  })

  it("approves nothing that changed after it was shown", async () => {
    const id = await drafted("Radia Perlman", "Hello Radia, as shown?")
    const between = createServer(async (request, response) => {
      const body = request.method === "POST" ? await new Response(request as unknown as ReadableStream).text() : null
      const headers = { authorization: String(request.headers.authorization), "content-type": "application/json" }
      const reply = await fetch(`${server.url}${request.url}`, { method: request.method ?? "GET", headers, body })
      const text = await reply.text()
      if (request.url?.includes("review.get") === true) {
        await run("linkedin", "draft", "update", id, "--variations", "Hello Radia, changed meanwhile?")
      }
      response.writeHead(reply.status, { "content-type": "application/json" }).end(text)
    })
    await new Promise<void>((resolve) => between.listen(0, "127.0.0.1", resolve))
    const { port } = Object(between.address())
    try {
      // In a process of its own: the update runs meanwhile in this one.
      const refused = await svc(["approve", id], { env: { ...env, SVC_BASE_URL: `http://127.0.0.1:${port}` } })
      assert.include(refused.stderr, "Hello Radia, as shown?")
      assert.strictEqual(refused.code, 5, refused.stderr)
      assert.isNull(await approved(id))
    } finally {
      between.closeAllConnections()
      between.close()
    }
  })
})
