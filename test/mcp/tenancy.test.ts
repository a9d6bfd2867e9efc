/**
 * Through the agent protocol, too, what belongs to another organization answers as what does not exist: every tool, every
 * field that names something, every resource.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { commands } from "#core/commands.ts"
import { describeWithSchemas } from "#core/kernel/command/Catalog.ts"
import { isForModels } from "#core/kernel/command/Effects.ts"
import { expand } from "#core/kernel/resource/Resource.ts"
import { inputFor, isFilledElsewhere, namesAt, namingPlaces, withName } from "../generated/tenancyNames.ts"
import { callTool, post, rpc, textsOf } from "../support/mcpHttp.ts"
import { type MemoryService, memoryService } from "../support/memoryService.ts"
import { fillTenant, type Tenant, unknownName, unmarked } from "../support/tenant.ts"

describe("tenancy through the agent protocol", () => {
  let service: MemoryService
  let a: Tenant
  let b: Tenant
  let key: string

  beforeAll(async () => {
    service = await memoryService({ sample: false })
    a = await fillTenant(service, service.svc.organization.id, "qqxqqa")
    const other = await service.svc.createOrganization("B")
    key = other.apiKey
    b = await fillTenant(service, other.organizationId, "qqxqqb")
  })
  afterAll(() => service.close())

  it.for(commands.filter(isForModels))(
    "$id takes another organization's names for names of nothing",
    async (command) => {
      const { input_schema } = describeWithSchemas(command)
      for (const place of namingPlaces(input_schema)) {
        if (isFilledElsewhere(place)) continue
        const example =
          command.examples.find(({ input }) => Object.hasOwn(input, place[0] ?? "")) ?? command.examples[0]
        const base = inputFor(command.id, example.input, b)
        for (const foreign of namesAt(command.id, place, a) ?? []) {
          const unknown = unknownName(foreign)
          const answer = async (name: string) => {
            const args = { ...withName(base, place, name), dry_run: true }
            const result = await callTool(service.svc.fetch, command.id, args, { key, toolset: command.category })
            return unmarked(JSON.stringify(result), name)
          }
          const before = await service.contents(a.organizationId)
          assert.strictEqual(await answer(foreign), await answer(unknown), `${command.id}: ${place.join(".")}`)
          assert.deepStrictEqual([...(await service.contents(a.organizationId))], [...before], "A was changed")
        }
      }
    }
  )

  it("reads no resource of another organization", async () => {
    const kinds: Readonly<Record<string, ReadonlyArray<string>>> = {
      draft: a.draft,
      prospect: a.lead,
      offer: a.offer,
      mission: a.mission,
      agent: a.agent,
      import: a.import
    }
    for (const { name, uri } of await service.svc.resources.list()) {
      const field = /\{([a-z]+)\}/.exec(uri)?.[1]
      if (field === undefined) {
        const { text } = await post(service.svc.fetch, rpc("resources/read", { uri }), { key })
        assert.notInclude(text, "qqxqqa", uri)
        continue
      }
      for (const foreign of kinds[name] ?? []) {
        const answer = async (value: string) => {
          const read = { uri: expand(uri, { [field]: value }) }
          const { text } = await post(service.svc.fetch, rpc("resources/read", read), { key })
          const result = await callTool(service.svc.fetch, "resource_read", read, { key })
          assert.strictEqual(result["isError"], true)
          return unmarked(`${text} ${textsOf(result).join(" ")}`, value)
        }
        assert.strictEqual(await answer(foreign), await answer(unknownName(foreign)), uri)
      }
    }
  })

  it("lists and completes nothing of another organization", async () => {
    for (const { id, risk } of commands) {
      if (risk !== "read") continue
      const result = await callTool(service.svc.fetch, "command_run", { command_id: id, input: {} }, { key })
      assert.notInclude(JSON.stringify(result), "qqxqqa", id)
    }
    for (const [type, name, value] of [
      ["ref/prompt", "mission", "A"],
      ["ref/resource", "svc://offers/{id}", ""],
      ["ref/resource", "svc://prospects/{id}", ""]
    ] as const) {
      const ref = type === "ref/prompt" ? { type, name: "review-drafts" } : { type, uri: name }
      const params = { ref, argument: { name: type === "ref/prompt" ? name : "id", value } }
      const { text } = await post(service.svc.fetch, rpc("completion/complete", params), { key })
      assert.notInclude(text, "qqxqqa")
      for (const id of [...a.mission, ...a.lead]) assert.notInclude(text, id)
    }
  })
})
