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

/** What is asked with a request. */
interface Variant {
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
}

const plainly = (query: string): Variant => ({ query, headers: {} })

/** Reads in full and compact; changes also previewed, and with a key for retries. */
const variants = (isPreviewed: boolean, isRead: boolean): ReadonlyArray<Variant> => {
  if (isRead) return ["", "response_profile=compact"].map(plainly)
  const previewed = ["dry_run=true", "dry_run=true&response_profile=compact"].map(plainly)
  if (isPreviewed) return previewed
  // What is done is put back, the record of the key included.
  return [
    ...["", "response_profile=compact"].map(plainly),
    ...previewed,
    { query: "", headers: { "idempotency-key": "probe" } }
  ]
}

const withVariant = (request: RestRequest, { headers, query }: Variant): RestRequest => ({
  ...request,
  target: query === "" ? request.target : `${request.target}${request.target.includes("?") ? "&" : "?"}${query}`,
  headers: { ...request.headers, ...headers }
})

/** Everything that somebody of `own` can ask with a name of `other`, from every example of every command. */
const probes = (own: Tenant, other: Tenant, isPreviewed: boolean): ReadonlyArray<Probe> =>
  doors.flatMap(([command, request]) =>
    namingPlaces(describeWithSchemas(command).input_schema)
      .filter((place) => !isFilledElsewhere(place))
      .flatMap((place) =>
        (namesAt(command.id, place, other) ?? []).flatMap((foreign) =>
          command.examples.flatMap((example) =>
            variants(isPreviewed, command.risk === "read").map((variant) => ({
              told: `${command.id} ${place.join(".")} ${JSON.stringify(variant)}`,
              foreign,
              request: (name: string) =>
                withVariant(request(withName(inputFor(command.id, example.input, own), place, name)), variant)
            }))
          )
        )
      )
  )

const shownHeaders = ["location", "retry-after", "www-authenticate", "svc-warnings", "content-type"]

const probe = async (service: MemoryService, { count, seed }: Extent, tally: Tally, isPreviewed: boolean) => {
  const open = async (mark: string) => {
    const { apiKey, organizationId } = await service.svc.createOrganization(mark)
    return { apiKey, tenant: await fillTenant(service, organizationId, mark) }
  }
  const both = [await open("qqxqqa"), await open("qqxqqb")] as const
  const start = isPreviewed ? undefined : service.state()
  const ask = async ({ body, headers, method, target }: RestRequest, apiKey: string) => {
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
  const contentsOf = ({ organizationId }: Tenant) => service.contents(organizationId)
  const filled = new Map(await Promise.all(both.map(async ({ tenant }) => [tenant, await contentsOf(tenant)] as const)))
  const isUntouched = async (tenant: Tenant, before = filled.get(tenant)) => {
    const now = await contentsOf(tenant)
    return before !== undefined && [...before].every(([table, rows]) => now.get(table) === rows)
  }
  const { next } = randomOf(seed)
  const [a, b] = both
  // On a database the one asked about stays as it was filled: using a key of its own would change that.
  const directions = isPreviewed
    ? [{ own: b, other: a }]
    : [
        { own: b, other: a },
        { own: a, other: b }
      ]
  const drawn = directions
    .flatMap(({ other, own }) =>
      probes(own.tenant, other.tenant, isPreviewed).map((one) => ({ one, own, other, order: next(1_000_000) }))
    )
    .toSorted((left, right) => left.order - right.order)
  let asked = 0
  for (const { one, other, own } of drawn.slice(0, count)) {
    const unknown = unknownName(one.foreign)
    const answers: Array<string> = []
    for (const name of [one.foreign, unknown]) {
      // In memory what is put back is written anew, so that it compares with what was there just before.
      const before = start === undefined ? undefined : await contentsOf(other.tenant)
      const answer = await ask(one.request(name), own.apiKey)
      answers.push(unmarked(answer, name))
      if (name === unknown && answer.includes(other.tenant.mark)) tally.add("leaked", `${one.told}: ${answer}`)
      // In memory a look costs nothing; in a database every table is read.
      const isDue = start !== undefined || ++asked % 100 === 0
      if (isDue && !(await isUntouched(other.tenant, before)))
        tally.add("lost", `${one.told} changed another organization`)
      if (start !== undefined) await service.putBack(start)
    }
    if (answers[0] !== answers[1]) tally.add("leaked", `${one.told}: ${answers.join("\nis not\n")}`)
    tally.tried++
    tally.hit(`${isPreviewed ? "previewed" : "done"} ${answers[0]?.slice(0, 3)}`)
  }
  if (isPreviewed && !(await isUntouched(a.tenant))) tally.add("lost", "An organization was changed by previews")
}

/** Runs the campaign: on PostgreSQL up to half of the pairs, where changes are only previewed, and the rest in memory. */
export const tenants: Campaign = async ({ count, seed }, tally) => {
  await withPostgres(async (cluster) => {
    const service = await memoryService({ databaseUrl: await newDatabase(cluster), sample: false })
    await probe(service, { seed, count: Math.floor(count / 2) }, tally, true)
    await service.close()
  })
  const memory = await memoryService({ sample: false })
  await probe(memory, { seed, count: count - tally.tried }, tally, false)
  await memory.close()
}
