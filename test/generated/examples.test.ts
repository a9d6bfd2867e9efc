/** Every example of every command does on fresh sample data what it promises: in process, over HTTP, and in a shell. */
import { execFile } from "node:child_process"
import { chmod, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { commands } from "#core/commands.ts"
import { describe as describeCommand, describeWithSchemas } from "#core/kernel/command/Catalog.ts"
import type { AnyCommand } from "#core/kernel/command/Command.ts"
import { defaultOptions } from "#core/kernel/command/Execution.ts"
import { makeResources } from "#core/resources/makeResources.ts"
import { type MemoryService, memoryService } from "../support/memoryService.ts"
import { bindingOf, restShapes } from "../support/rest.ts"
import { restRequest } from "../support/restRequest.ts"
import { isNode } from "../support/schemaArbitrary.ts"
import { schemaErrors } from "../support/schemaValidator.ts"
import { svcInProcess } from "../support/svcInProcess.ts"
import { type RunningSvc, startSvc, temporaryFolder } from "../support/svcProcess.ts"

const profiles = ["full", "compact"] as const

let service: MemoryService
let sample: ReturnType<MemoryService["state"]>
beforeAll(async () => {
  service = await memoryService({ callerOf: () => ({}) })
  sample = service.state()
})
afterAll(() => service.close())

/** A state is signed for one key, so no example has one that is taken. */
const repeatable = commands.filter(({ id }) => id !== "approval.answer")

describe.for<AnyCommand>([...repeatable, ...restShapes])("$id", (command) => {
  const { input_schema, output_schema } = describeWithSchemas(command)
  const wrongInput = schemaErrors(input_schema)
  const wrongOutput = schemaErrors(output_schema)

  for (const { input, title } of command.examples) {
    it(`${title}: in process`, async () => {
      assert.strictEqual(wrongInput(input), undefined)
      for (const responseProfile of profiles) {
        await service.putBack(sample)
        const options = { ...defaultOptions, responseProfile }
        const { envelope } = await service.run({ command: command.id, input, options })
        assert.isTrue(envelope.ok, JSON.stringify(envelope))
        if (envelope.ok) assert.strictEqual(wrongOutput(envelope.data), undefined, responseProfile)
      }
    })

    it(`${title}: over HTTP`, async () => {
      const binding = bindingOf(command.id)
      const { body, method, target } =
        binding === undefined
          ? { method: "POST", target: `/api/v1/commands/${command.id}`, body: JSON.stringify(input) }
          : restRequest(binding, input)
      for (const profile of profiles) {
        await service.putBack(sample)
        const url = `http://host${target}${target.includes("?") ? "&" : "?"}response_profile=${profile}`
        const headers = { "content-type": "application/json" }
        const request = new Request(url, { method, headers, ...(body === undefined ? {} : { body }) })
        const response = await service.svc.fetch(request)
        const answer: unknown = await response.json()
        assert.isBelow(response.status, 300, JSON.stringify(answer))
        const data = isNode(answer) ? answer["data"] : undefined
        // A REST answer may lack what goes to headers.
        if (binding === undefined) assert.strictEqual(wrongOutput(data), undefined, profile)
      }
    })
  }
})

describe.for(makeResources(commands))("$entry.uri", ({ command, exampleUri }) => {
  it("is read with the sample's name", async () => {
    const wrongOutput = schemaErrors(describeWithSchemas(command).output_schema)
    await service.putBack(sample)
    for (const responseProfile of profiles) {
      const { payload, uri } = await service.svc.resources.read(exampleUri, { responseProfile })
      const { generated_at, ...rest } = payload
      assert.match(String(generated_at), /^\d{4}-\d\d-\d\dT/)
      assert.strictEqual(uri, exampleUri)
      assert.strictEqual(wrongOutput(rest), undefined, responseProfile)
    }
  })
})

describe("in a shell", () => {
  let server: RunningSvc | undefined
  let folder: Awaited<ReturnType<typeof temporaryFolder>>

  beforeAll(async () => {
    folder = await temporaryFolder()
    const shim = join(folder.path, "svc")
    // What the shell makes of the script; the command line itself then runs here.
    await writeFile(shim, `#!/bin/sh\nprintf '%s\\0' "$@" >'${folder.path}/words'\n`)
    await chmod(shim, 0o755)
    server = await startSvc(["dev", "--sample"], {
      cwd: folder.path,
      env: { SVC_DATABASE_URL: "memory:", SVC_RATE_LIMIT: "0" }
    })
  })
  afterAll(async () => {
    await server?.stop()
    await folder.remove()
  })

  // What takes away goes last: the others may need what it takes.
  const takesAway = /\.(delete|erase|merge|suppress|lift|revoke|rotate|cancel|set|undo|unlink)$/
  const orderOf = (id: string): number => (id.endsWith(".cancel") ? 1 : takesAway.test(id) ? 2 : 0)
  const inOrder = [...repeatable].sort((left, right) => orderOf(left.id) - orderOf(right.id))

  it.for(inOrder)("$id", async (command) => {
    const wrongOutput = schemaErrors(describeWithSchemas(command).output_schema)
    const script = describeCommand(command).examples.find(({ language }) => language === "bash")
    assert.isDefined(script, "no example for a shell")
    const PATH = `${folder.path}:${process.env["PATH"] ?? ""}`
    await promisify(execFile)("/bin/sh", ["-c", script?.code ?? ""], { cwd: folder.path, env: { PATH } })
    const words = (await readFile(join(folder.path, "words"), "utf8")).split("\0").slice(0, -1)
    const env = { SVC_BASE_URL: String(server?.url), SVC_API_KEY: String(server?.ready["api_key"]) }
    const { stderr, stdout } = await svcInProcess(words, { env })
    const answer: unknown = JSON.parse(stdout)
    assert.strictEqual(stderr, "")
    assert.isTrue(isNode(answer) && answer["ok"] === true, stdout)
    if (isNode(answer)) assert.strictEqual(wrongOutput(answer["data"]), undefined, stdout)
  })
})
