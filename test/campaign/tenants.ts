/**
 * Pairs of requests that differ in one name: one of another organization, and one that nobody has. Both must be answered with
 * the same bytes. In memory everything is really done and put back; on PostgreSQL it is previewed.
 *
 * Leaked: the answers differ, or show something of the other organization. Lost: something of it was changed.
 */
import { commands } from "#core/commands.ts"
import { describeWithSchemas } from "#core/kernel/command/Catalog.ts"
import type { AnyCommand } from "#core/kernel/command/Command.ts"
import { restBindings } from "#http/restBindings.ts"
import { inputFor, isFilledElsewhere, namesAt, namingPlaces, withName } from "../generated/tenancyNames.ts"
import { type MemoryService, memoryService } from "../support/memoryService.ts"
import { randomOf } from "../support/random.ts"
import { shapeOf } from "../support/rest.ts"
import { type RestRequest, restRequest } from "../support/restRequest.ts"
import type { SchemaNode } from "../support/schemaArbitrary.ts"
import { fillTenant, type Tenant, unknownName, unmarked } from "../support/tenant.ts"
import { newDatabase, withPostgres } from "./postgres.ts"
import type { Campaign, Extent, Tally } from "./Tally.ts"

/** A request with a name left open. */
interface Probe {
  readonly told: string
  readonly foreign: string
  readonly request: (name: string) => RestRequest
}

const doors: ReadonlyArray<readonly [AnyCommand, (input: SchemaNode) => RestRequest]> = [
  ...commands.map(
    (command) =>
      [
        command,
        (input: SchemaNode): RestRequest => ({
          method: "POST",
          target: `/api/v1/commands/${command.id}`,
          body: JSON.stringify(input),
          headers: {}
        })
      ] as const
  ),
  ...restBindings.map((binding) => [shapeOf(binding), (input: SchemaNode) => restRequest(binding, input)] as const)
]

/** What is asked with the request: previewed or not, in full or compact. */
const variants = (isPreviewed: boolean) =>
  isPreviewed
    ? ["dry_run=true", "dry_run=true&response_profile=compact"]
    : ["", "dry_run=true", "response_profile=compact"]

const withQuery = (request: RestRequest, query: string): RestRequest =>
  request.method === "GET" || query === ""
    ? request
    : { ...request, target: `${request.target}${request.target.includes("?") ? "&" : "?"}${query}` }

/** Everything that somebody of `own` can ask with a name of `other`, from every example of every command. */
const probes = (own: Tenant, other: Tenant, isPreviewed: boolean): ReadonlyArray<Probe> =>
  doors.flatMap(([command, request]) =>
    namingPlaces(describeWithSchemas(command).input_schema)
      .filter((place) => !isFilledElsewhere(place))
      .flatMap((place) =>
        (namesAt(place, other) ?? []).flatMap((foreign) =>
          command.examples.flatMap((example) =>
            variants(isPreviewed).map((query) => ({
              told: `${command.id} ${place.join(".")} ${query}`,
              foreign,
              request: (name: string) => withQuery(request(withName(inputFor(example.input, own), place, name)), query)
            }))
          )
        )
      )
  )

const shownHeaders = ["location", "retry-after", "www-authenticate", "svc-warnings", "content-type"]

const probe = async (service: MemoryService, { count, seed }: Extent, tally: Tally, isPreviewed: boolean) => {
  const other = await fillTenant(service, service.svc.organization.id, "qqxqqa")
  const { apiKey, organizationId } = await service.svc.createOrganization("Own")
  const own = await fillTenant(service, organizationId, "qqxqqb")
  const start = isPreviewed ? undefined : service.state()
  const ask = async ({ body, headers, method, target }: RestRequest) => {
    const response = await service.svc.fetch(
      new Request(`http://host${target}`, {
        method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...headers,
          ...(body === undefined ? {} : { "content-type": "application/json" })
        },
        ...(body === undefined ? {} : { body })
      })
    )
    const shown = shownHeaders.map((name) => `${name}: ${response.headers.get(name)}`)
    if (response.status >= 500 && response.status !== 502) tally.add("failed", `${method} ${target} ${response.status}`)
    return `${response.status}\n${shown.join("\n")}\n${await response.text()}`
  }
  const before = await service.contents(other.organizationId)
  const isUntouched = async () => {
    const now = await service.contents(other.organizationId)
    return [...before].every(([table, rows]) => now.get(table) === rows)
  }
  const { next } = randomOf(seed)
  const drawn = probes(own, other, isPreviewed)
    .map((one) => ({ one, order: next(1_000_000) }))
    .toSorted((a, b) => a.order - b.order)
  let asked = 0
  for (const { one } of drawn.slice(0, count)) {
    const unknown = unknownName(one.foreign)
    const answers: Array<string> = []
    for (const name of [one.foreign, unknown]) {
      const answer = await ask(one.request(name))
      answers.push(unmarked(answer, name))
      if (name === unknown && answer.includes(other.mark)) tally.add("leaked", `${one.told}: ${answer}`)
      // In memory a look costs nothing; in a database every table is read.
      const isDue = start !== undefined || ++asked % 100 === 0
      if (isDue && !(await isUntouched())) tally.add("lost", `${one.told} changed another organization`)
      if (start !== undefined) await service.putBack(start)
    }
    if (answers[0] !== answers[1]) tally.add("leaked", `${one.told}: ${answers.join("\nis not\n")}`)
    tally.tried++
  }
  if (!(await isUntouched())) tally.add("lost", "Another organization was changed")
}

/** Runs the campaign: half of the pairs in memory, half on PostgreSQL. */
export const tenants: Campaign = async ({ count, seed }, tally) => {
  const inMemory = Math.ceil(count / 2)
  const memory = await memoryService({ sample: false })
  await probe(memory, { seed, count: inMemory }, tally, false)
  await memory.close()
  await withPostgres(async (cluster) => {
    const service = await memoryService({ databaseUrl: await newDatabase(cluster), sample: false })
    await probe(service, { seed, count: count - inMemory }, tally, true)
    await service.close()
  })
}
