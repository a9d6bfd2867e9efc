/** What a command can end with is the same list wherever it is told: exactly what the command declares. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { schemaText } from "#cli/commands/catalogue.ts"
import { commands } from "#core/commands.ts"
import { describeWithSchemas } from "#core/kernel/command/Catalog.ts"
import type { AnyCommand } from "#core/kernel/command/Command.ts"
import { codesOf } from "#core/kernel/failure/Failure.ts"
import {
  ApprovalPolicy,
  commonFailures,
  IdempotencyInProgress,
  IdempotencyMismatch,
  InvalidJson,
  KeyExpired,
  KeyRevoked,
  PreconditionFailed,
  RateLimited,
  Unauthenticated,
  UnknownCommand,
  VersionConflict
} from "#core/kernel/failure/failures.ts"
import { type FailureCode, failureTable } from "#core/kernel/failure/failureTable.ts"
import { uploadCommand, uploadPath } from "#http/commandRoutes.ts"
import { readerOf } from "#http/RestBinding.ts"
import { searchCommands } from "#mcp/Toolbox.ts"
import { at, openService, type Reply, type Service } from "../support/httpService.ts"
import { bound } from "../support/rest.ts"

let service: Service
let paths: Readonly<Record<string, unknown>>
let markdown: ReadonlyMap<string, string>
let catalog: Reply

beforeAll(async () => {
  service = await openService()
  paths = Object(at((await service.ask("GET", "/api/v1/openapi.json")).body, "paths"))
  const { text } = await service.ask("GET", "/docs/commands.md")
  markdown = new Map(text.split("\n## ").map((section) => [section.split("\n", 1)[0] ?? "", section]))
  catalog = await service.ask("GET", "/api/v1/resources/read?uri=svc://catalog")
})
afterAll(() => service.svc.close())

const isCode = (word: string): word is FailureCode => Object.hasOwn(failureTable, word)

/** The codes that a text names. */
const codesIn = (text: string): ReadonlyArray<FailureCode> =>
  Array.from(text.matchAll(/[A-Z_]+/g), ([word]) => word)
    .filter(isCode)
    .toSorted()

/** What an operation can answer beside the failures of its command. */
const ofKeys = [Unauthenticated, KeyExpired, KeyRevoked, RateLimited]
const ofChanges: AnyCommand["failures"] = [
  InvalidJson,
  ApprovalPolicy,
  IdempotencyMismatch,
  IdempotencyInProgress,
  VersionConflict
]

/** Asserts that an operation of the OpenAPI document names exactly these failures, each beside its status. */
const tells = (operation: unknown, own: AnyCommand["failures"], common: AnyCommand["failures"]): void => {
  assert.deepStrictEqual(at(operation, "x-svc-failures"), codesOf(own))
  const responses = Object.entries(Object(at(operation, "responses")))
  const told = responses.flatMap(([status, response]) =>
    codesIn(String(at(response, "description"))).map((code) => `${status} ${code}`)
  )
  const expected = codesOf([...own, ...common, ...ofKeys]).map((code) => `${failureTable[code].status} ${code}`)
  assert.sameMembers(told, expected)
}

/** What REST can answer of what is common. */
const commonOf = (isChange: boolean): AnyCommand["failures"] =>
  commonFailures.filter((one) => one !== UnknownCommand && (isChange || !ofChanges.includes(one)))

describe("the failures of a command", () => {
  it.for(commands)(
    "$id: in OpenAPI, in the documentation, in svc://catalog, over MCP and in the terminal",
    (command) => {
      const { failures, id } = command
      const own = codesOf(failures)
      tells(at(paths[`/api/v1/commands/${id}`], "post"), failures, commonFailures)
      const line = (markdown.get(id) ?? "").split("\n").find((text) => text.startsWith("Can fail with"))
      assert.deepStrictEqual(codesIn(line ?? ""), own)
      const categories: unknown = at(catalog.body, "data.resource.payload.categories")
      const listed = (Array.isArray(categories) ? categories : []).flatMap(({ commands }) => commands)
      assert.deepStrictEqual(listed.find(({ command_id }) => command_id === id)?.failures, own)
      assert.deepStrictEqual(at(searchCommands(commands, id), "commands.0.failures"), own)
      const text = schemaText({ status: 200, body: { data: { command: describeWithSchemas(command) } } }, catalog)
      const [mine = "", common = ""] = text.split("\n").filter((words) => words.includes("fail with"))
      assert.deepStrictEqual([codesIn(mine), codesIn(common)], [own, codesOf(commonFailures)])
    }
  )

  it.for(bound)("$binding.method $binding.path: in OpenAPI, with that of If-Match where it may be sent", (one) => {
    const { method, path } = one.binding
    const isChange = (method === "PATCH" || method === "DELETE") && readerOf(path, bound) !== undefined
    const own = isChange ? [...one.command.failures, PreconditionFailed] : one.command.failures
    tells(at(paths[path], method.toLowerCase()), own, commonOf(method !== "GET"))
  })

  it("of an upload: in OpenAPI", () => {
    const command = commands.find(({ id }) => id === uploadCommand)
    tells(at(paths[uploadPath], "post"), command?.failures ?? [], commonOf(true))
  })
})
