/** Every text that the OpenAPI document takes has a bound, in bodies, paths, queries and headers; longer ones are refused. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { at, openService, type Service } from "../support/httpService.ts"
import { listening } from "../support/listening.ts"

interface Text {
  /** Where it is: `get /api/v1/offers query cursor`, `post /api/v1/offers application/json.name`. */
  readonly path: string
  readonly maxLength: number | undefined
  readonly isBounded: boolean
}

/** The texts in a schema. */
const textsIn = (schema: unknown, path: string): ReadonlyArray<Text> => {
  if (typeof schema !== "object" || schema === null) return []
  const {
    additionalProperties,
    anyOf,
    enum: choices,
    format,
    items,
    maxLength,
    properties,
    type,
    ...more
  } = Object(schema)
  const inner = [
    ...Object.entries(Object(properties)).flatMap(([name, one]) => textsIn(one, `${path}.${name}`)),
    ...textsIn(items, `${path}[]`),
    ...textsIn(additionalProperties, `${path}.*`),
    ...(anyOf ?? []).flatMap((one: unknown) => textsIn(one, path))
  ]
  assert.isUndefined(more.oneOf ?? more.allOf ?? more.patternProperties ?? more.$ref, `${path}: not walked`)
  if (![type].flat().includes("string")) return inner
  // Of a file, the description of the body says how large it may be.
  const isBounded = typeof maxLength === "number" || choices !== undefined || "const" in more || format === "binary"
  return [{ path, maxLength, isBounded }, ...inner]
}

interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required: boolean
  readonly schema: unknown
}

interface Operation {
  readonly method: string
  readonly path: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly content: Readonly<Record<string, { readonly schema: unknown }>>
}

let service: Service
let operations: ReadonlyArray<Operation>
beforeAll(async () => {
  service = await openService()
  const document = (await service.ask("GET", "/api/v1/openapi.json", { key: null })).body
  operations = Object.entries(Object(at(document, "paths"))).flatMap(([path, methods]) =>
    Object.entries(Object(methods)).map(([method, operation]) => {
      const { parameters = [], requestBody } = Object(operation)
      return { path, method, parameters, content: requestBody?.content ?? {} }
    })
  )
})
afterAll(() => service.svc.close())

describe("the texts of requests", () => {
  it("all have a bound in the OpenAPI document", () => {
    const found = operations.flatMap(({ content, method, parameters, path }) => [
      ...parameters.flatMap((one) => textsIn(one.schema, `${method} ${path} ${one.in} ${one.name}`)),
      ...Object.entries(content).flatMap(([type, { schema }]) => textsIn(schema, `${method} ${path} ${type}`))
    ])
    assert.isAbove(found.length, 1_000)
    assert.isAbove(found.filter(({ path }) => path.includes(" header ")).length, 100)
    assert.deepStrictEqual(
      found.filter(({ isBounded }) => !isBounded).map(({ path }) => path),
      []
    )
  })

  it("are refused in paths, queries and headers when they are longer", async () => {
    let tried = 0
    await listening(service.svc, async (url) => {
      for (const { method, parameters, path } of operations) {
        for (const long of parameters) {
          const maxLength = textsIn(long.schema, long.name)[0]?.maxLength
          if (maxLength === undefined) continue
          const valueOf = (one: Parameter) => (one === long ? "a".repeat(maxLength + 1) : "a")
          const target = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
            valueOf(parameters.find((one) => one.name === name) ?? long)
          )
          const query = parameters
            .filter((one) => one.in === "query" && (one.required || one === long))
            .map((one) => `${one.name}=${valueOf(one)}`)
            .join("&")
          const headers = {
            authorization: `Bearer ${service.key}`,
            ...(long.in === "header" ? { [long.name]: valueOf(long) } : {})
          }
          const { status } = await fetch(`${url}${target}?${query}`, { method: method.toUpperCase(), headers })
          assert.isTrue(status >= 400 && status < 500, `${method} ${path} ${long.in} ${long.name}: ${status}`)
          tried++
        }
      }
    })
    assert.isAbove(tried, 200)
  })
})
