/** Imports read over REST: lists, one import, and its rows as a file. */
import { createHash } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { parse } from "csv-parse/sync"
import { at, isError, openService, type Service, textAt } from "../support/httpService.ts"

let service: Service
let importId = ""
let stranger = ""
const csv = { "content-type": "text/csv" }
const file =
  'Email,Name,"Note, ""free"""\n' +
  "one@example.com,=cmd|' /C calc'!A0,\n" +
  'no mail,@SUM(A1),"two\nlines"\n' +
  "two@example.com,+49 30 1,-1\n" +
  "one@example.com,=cmd|' /C calc'!A0,again\n"

beforeAll(async () => {
  service = await openService()
  for (const name of ["First", "Second"]) {
    await service.ask("POST", "/api/v1/commands/mission.create", { json: { name } })
  }
  const reply = await service.ask("POST", "/api/v1/missions/first/imports?name=People", {
    body: file,
    headers: {
      ...csv,
      "content-digest": `sha-256=:${createHash("sha256").update(file).digest("base64")}:`
    }
  })
  assert.strictEqual(reply.status, 200, reply.text)
  importId = textAt(reply.body, "data.import.import_id")
  await service.ask("POST", "/api/v1/missions/second/leads", { json: { leads: [{ email: "three@example.com" }] } })
  stranger = (await service.svc.createOrganization("Others")).apiKey
})
afterAll(() => service.svc.close())

const get = (path: string, key?: string) => service.ask("GET", `/api/v1${path}`, key === undefined ? {} : { key })
const idsOf = (body: unknown): ReadonlyArray<unknown> => {
  const imports = at(body, "data.imports")
  return Array.isArray(imports) ? imports.map((one) => at(one, "import_id")) : []
}
const rowsOf = (text: string): ReadonlyArray<Record<string, string>> => parse(text, { columns: true })

describe("lists of imports", () => {
  it("are of the organization, or of one mission", async () => {
    const all = await get("/imports")
    assert.strictEqual(idsOf(all.body).length, 2)
    const first = await get("/missions/first/imports")
    assert.deepStrictEqual(idsOf(first.body), [importId])
    assert.deepStrictEqual(idsOf((await get("/imports?mission=first")).body), [importId])
    assert.deepStrictEqual(idsOf((await get("/imports?type=API&state=completed")).body).length, 1)
    assert.deepStrictEqual(idsOf((await get("/missions/first/imports?state=running")).body), [])
    const page = await get("/imports?limit=1")
    const cursor = encodeURIComponent(textAt(page.body, "data.nextCursor"))
    const rest = await get(`/imports?limit=1&cursor=${cursor}`)
    assert.deepStrictEqual([...idsOf(page.body), ...idsOf(rest.body)], idsOf(all.body))
    isError(await get(`/missions/first/imports?cursor=${cursor}`), 400, "INVALID_CURSOR")
    isError(await get("/missions/none/imports"), 404, "NOT_FOUND")
    isError(await get("/missions/first/imports", stranger), 404, "NOT_FOUND")
    assert.deepStrictEqual(idsOf((await get("/imports", stranger)).body), [])
  })

  it("say which file it was", async () => {
    const digest = createHash("sha256").update(file).digest("hex")
    assert.strictEqual(at((await get(`/imports/${importId}`)).body, "data.import.content_sha256"), digest)
  })
})

describe("one import", () => {
  it("is what import.get answers, with an ETag", async () => {
    const command = await service.ask("POST", "/api/v1/commands/import.get", { json: { import_id: importId } })
    const reply = await get(`/imports/${importId}`)
    assert.deepStrictEqual(at(reply.body, "data"), at(command.body, "data"))
    assert.match(reply.headers.get("etag") ?? "", /^"/)
    isError(await get("/imports/imp_nothing"), 404, "NOT_FOUND")
    isError(await get(`/imports/${importId}`, stranger), 404, "NOT_FOUND")
  })
})

describe("rows.csv", () => {
  it("has every row with outcome and reason, and runs nothing in a spreadsheet", async () => {
    const reply = await get(`/imports/${importId}/rows.csv`)
    assert.strictEqual(reply.headers.get("content-type"), "text/csv; charset=utf-8; header=present")
    assert.include(reply.headers.get("content-disposition") ?? "", `${importId}-rows.csv`)
    const rows = rowsOf(reply.text)
    assert.deepStrictEqual(
      rows.map(({ row, outcome, reason }) => [row, outcome, reason]),
      [
        ["1", "created", ""],
        ["2", "invalid", "INVALID_EMAIL"],
        ["3", "created", ""],
        ["4", "skipped", "UNCHANGED"]
      ]
    )
    const [first, second, third] = rows
    assert.deepStrictEqual(Object.keys(first ?? {}), [
      "row",
      "outcome",
      "reason",
      "lead_id",
      "lead_name",
      "Email",
      "Name",
      'Note, "free"'
    ])
    assert.strictEqual(first?.["lead_name"], "'=cmd|' /C calc'!A0")
    assert.strictEqual(third?.["lead_name"], "'+49 30 1")
    assert.deepStrictEqual(
      [second?.["Email"], second?.["Name"], second?.['Note, "free"']],
      ["no mail", "'@SUM(A1)", "two\nlines"]
    )
    for (const cell of reply.text.split(/[,\r\n]+/)) assert.notMatch(cell, /^"?[=@]/)
  })

  it("has only the refused rows when asked, which can be imported again", async () => {
    const reply = await get(`/imports/${importId}/rows.csv?outcome=refused`)
    assert.deepStrictEqual(
      rowsOf(reply.text).map(({ row }) => row),
      ["2"]
    )
    const corrected = reply.text.replace("no mail", "fixed@example.com")
    const again = await service.ask("POST", "/api/v1/missions/first/imports", { body: corrected, headers: csv })
    assert.strictEqual(at(again.body, "data.import.created_count"), 1, again.text)
  })

  it("is read in pages that no reader sees", async () => {
    const emails = Array.from({ length: 2_345 }, (_, n) => `many${n}@example.com`)
    const sent = await service.ask("POST", "/api/v1/missions/second/imports", {
      body: `email\n${emails.join("\n")}\n`,
      headers: csv
    })
    const rows = rowsOf((await get(`/imports/${textAt(sent.body, "data.import.import_id")}/rows.csv`)).text)
    assert.deepStrictEqual(
      rows.map(({ row }) => Number(row)),
      emails.map((_, n) => n + 1)
    )
    assert.strictEqual(new Set(rows.map(({ lead_id }) => lead_id)).size, emails.length)
  })

  it("is refused as any other read is", async () => {
    isError(await get("/imports/imp_nothing/rows.csv"), 404, "NOT_FOUND")
    isError(await get(`/imports/${importId}/rows.csv`, stranger), 404, "NOT_FOUND")
    isError(await get(`/imports/${importId}/rows.csv?outcome=lost`), 400, "INVALID_INPUT")
    isError(await get(`/imports/${importId}/rows.csv?limit=1`), 400, "UNKNOWN_FIELD")
    const { text } = await service.makeKey({ scopes: ["leads:read"] }, service.svc.organization.id)
    isError(await get(`/imports/${importId}/rows.csv`, text), 403, "FORBIDDEN_SCOPE")
    isError(await get("/imports", text), 403, "FORBIDDEN_SCOPE")
    const head = await service.ask("HEAD", `/api/v1/imports/${importId}/rows.csv`)
    assert.deepStrictEqual([head.status, head.text], [200, ""])
  })
})
