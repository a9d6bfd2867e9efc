/** The documentation as Markdown is whole and true. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { commands } from "#core/commands.ts"
import { failureTable } from "#core/kernel/failure/failureTable.ts"
import { openService, type Service } from "../support/httpService.ts"

let service: Service
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.svc.close())

const read = async (path: string) => {
  const reply = await service.ask("GET", path, { key: null })
  assert.strictEqual(reply.status, 200, path)
  return reply
}

describe("documentation as Markdown", () => {
  it("has every command with its fields and examples", async () => {
    const { headers, text } = await read("/docs/commands.md")
    assert.match(headers.get("content-type") ?? "", /^text\/markdown/)
    for (const command of commands) {
      assert.include(text, `\n## ${command.id}\n`)
      assert.include(text, `svc commands run ${command.id} `)
    }
    assert.match(text, /\| `linkedin_url` \| string or null \| {2}\| /)
    // A table's rows have as many cells as its head.
    for (const row of text.split("\n").filter((line) => line.startsWith("| "))) {
      assert.strictEqual(row.replaceAll("\\|", "").split("|").length, 6, row)
    }
  })

  it("has every error code with its numbers", async () => {
    const { text } = await read("/docs/errors.md")
    for (const [code, { exitCode, status }] of Object.entries(failureTable)) {
      assert.include(text, `| \`${code}\` | ${status} | ${exitCode} |`)
    }
  })

  it("has an index for language models whose every address answers", async () => {
    const { headers, text } = await read("/llms.txt")
    assert.match(headers.get("content-type") ?? "", /^text\/plain/)
    assert.match(text, /^# svc\n\n> /)
    for (const { id } of commands) assert.include(text, `\n- ${id} (`)
    const addresses = [...text.matchAll(/\]\((\S+?)\)/g)].map(([, address]) => new URL(address ?? "").pathname)
    assert.isAbove(addresses.length, 3)
    for (const path of addresses.filter((path) => path !== "/mcp")) await read(path)
  })
})
