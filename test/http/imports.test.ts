/** Files that come in as a body: read, recognised, gone on with, refused. */
import { createHash } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { at, isError, openService, type Service, textAt } from "../support/httpService.ts"

let service: Service
beforeAll(async () => {
  service = await openService()
  await service.ask("POST", "/api/v1/commands/mission.create", { json: { name: "Uploads" } })
})
afterAll(() => service.svc.close())

const path = "/api/v1/missions/uploads/imports"
const csv = { "content-type": "text/csv" }
const upload = (body: string | Uint8Array<ArrayBuffer>, query = "", headers: Readonly<Record<string, string>> = {}) =>
  service.ask("POST", `${path}${query}`, { body, headers: { ...csv, ...headers } })

const counts = (body: unknown): ReadonlyArray<unknown> =>
  ["created", "updated", "skipped", "invalid"].map((name) => at(body, `data.import.${name}_count`))

const digestOf = (text: string): string => `sha-256=:${createHash("sha256").update(text).digest("base64")}:`

describe("a CSV body", () => {
  it("becomes leads of the mission, every row accounted for", async () => {
    const reply = await upload(
      "E-mail;Vorname;Nachname;LinkedIn URL\n" +
        "one@example.com;Ada;One;https://www.linkedin.com/in/ada-one\n" +
        "ONE@example.com;Ada;One;\n" +
        "no mail;Bob;Two;\n" +
        ";;;https://www.linkedin.com/in/carl-three\n" +
        ";Nobody;Known;\n"
    )
    assert.strictEqual(reply.status, 200, reply.text)
    assert.deepStrictEqual(counts(reply.body), [2, 0, 1, 2])
    assert.strictEqual(at(reply.body, "data.import.state"), "completed")
    assert.strictEqual(reply.headers.get("svc-import-id"), at(reply.body, "data.import.import_id"))
    assert.deepStrictEqual(at(reply.body, "data.import.mapping"), [
      { column: "E-mail", field: "email", match: "guessed", header: null },
      { column: "Vorname", field: "first_name", match: "guessed", header: null },
      { column: "Nachname", field: "last_name", match: "guessed", header: null },
      { column: "LinkedIn URL", field: "linkedin_url", match: "matched", header: null }
    ])
    const refused = at(reply.body, "data.import.refused_rows")
    assert.deepStrictEqual(Array.isArray(refused) && refused.map(({ reason, row }) => [row, reason]), [
      [3, "INVALID_EMAIL"],
      [5, "IDENTIFIER_REQUIRED"]
    ])
  })

  it("is recognised by its digest, and imported again when told to", async () => {
    const file = "email,name\ndigest@example.com,Di Gest\n"
    const headers = { "content-digest": digestOf(file) }
    assert.deepStrictEqual(counts((await upload(file, "", headers)).body), [1, 0, 0, 0])
    const second = await upload(file, "", headers)
    assert.strictEqual(at(second.body, "data.import.already_exists"), true)
    assert.match(textAt(second.body, "data.import.message"), /was imported into the mission on/)
    const third = await upload(file, "?again=true", headers)
    assert.deepStrictEqual([at(third.body, "data.import.already_exists"), counts(third.body)], [false, [0, 0, 1, 0]])
  })

  it("says where its leads come from, and on which basis they are kept", async () => {
    const file = "email,name\nbasis@example.com,Ba Sis\n"
    const reply = await upload(file, "?source=Fair%202026&lawful_basis=contract")
    assert.deepStrictEqual(counts(reply.body), [1, 0, 0, 0])
    const lead = await service.ask("POST", "/api/v1/commands/lead.get", { json: { email: "basis@example.com" } })
    assert.deepStrictEqual(at(lead.body, "data.basis"), {
      source: "Fair 2026",
      lawful_basis: "contract",
      kept_until: null
    })
    const wrong = await upload(file, "?lawful_basis=because")
    assert.match(wrong.text, /INVALID_INPUT/)
  })

  it("takes a mapping, and a dry run leaves nothing", async () => {
    const mapping = encodeURIComponent(JSON.stringify({ Kontakt: "email", Wer: "name" }))
    const file = "Kontakt|Wer\ndry@example.com|Dry Run\n"
    const dry = await upload(file, `?mapping=${mapping}&dry_run=true`)
    assert.deepStrictEqual([counts(dry.body), dry.headers.get("svc-dry-run")], [[1, 0, 0, 0], "true"])
    const wet = await upload(file, `?mapping=${mapping}`)
    assert.deepStrictEqual(counts(wet.body), [1, 0, 0, 0])
    assert.isNull(wet.headers.get("svc-warnings"))
    const warned = await upload("email,LinkedIn Profil URL\ndry@example.com,x\n", "?dry_run=true")
    assert.include(warned.headers.get("svc-warnings") ?? "", "looks like linkedin_url")
  })

  const mixed: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
    ["CRLF after the header, LF after rows", ["\r\n", "\n", "\n", "\n"]],
    ["LF after the header, CRLF after rows", ["\n", "\r\n", "\r\n", "\r\n"]],
    ["CR and CRLF", ["\r", "\r\n", "\r", ""]],
    ["every one", ["\r\n", "\r", "\n", ""]]
  ]
  it.for(mixed)("may mix line ends: %s, as an upload, a preview and a command", async ([, ends], { task }) => {
    const host = `${digestOf(task.name).replace(/\W/g, "").slice(-20)}.example`
    const lines = ["Email,Company", `one@${host},"Two\r\nLines"`, `two@${host},Plain`, `three@${host},Last`]
    const text = lines.map((line, index) => `${line}${ends[index]}`).join("")
    const previewed = async (fields: object) => {
      const json = { mission_handle: "uploads", ...fields }
      const reply = await service.ask("POST", "/api/v1/commands/import.csv?dry_run=true", { json })
      return at(reply.body, "data.created_count")
    }
    const base64 = Buffer.from(text, "utf16le").toString("base64")
    assert.deepStrictEqual(counts((await upload(text, "?dry_run=true")).body), [3, 0, 0, 0])
    assert.strictEqual(await previewed({ content: text }), 3)
    assert.strictEqual(await previewed({ content: base64, encoding: "base64" }), 3)
    assert.deepStrictEqual(counts((await upload(text)).body), [3, 0, 0, 0])
    const lead = await service.ask("POST", "/api/v1/commands/lead.get", { json: { email: `one@${host}` } })
    assert.strictEqual(at(lead.body, "data.lead.company"), "Two Lines")
  })

  it("is refused where it is no table of people", async () => {
    isError(await upload("Ort,Datum\nBerlin,gestern\n"), 400, "INVALID_INPUT")
    isError(await upload(""), 400, "INVALID_INPUT")
    isError(await upload("email\na@b.example\n", "?mapping=nonsense"), 400, "INVALID_INPUT")
    isError(
      await upload("email\na@b.example\n", "", { "content-type": "application/json" }),
      415,
      "UNSUPPORTED_MEDIA_TYPE"
    )
    isError(await upload("email\n", "", { "content-digest": "sha-256=:short:" }), 400, "INVALID_INPUT")
    isError(
      await service.ask("POST", "/api/v1/missions/none/imports", { body: "email\na@b.example\n", headers: csv }),
      404,
      "NOT_FOUND"
    )
  })

  it("keeps what came before a quote that is never closed, and says where it stopped", async () => {
    const reply = await upload('email,name\nquote@example.com,Good\nbad@example.com,"Bad\nlost@example.com,Lost\n')
    assert.deepStrictEqual([counts(reply.body), at(reply.body, "data.import.state")], [[1, 0, 0, 0], "failed"])
    assert.match(textAt(reply.body, "data.import.message"), /Row 2: a quote is never closed/)
  })
})
