import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import * as Resource from "#core/kernel/resource/Resource.ts"
import { matchResource } from "#core/kernel/resource/ResourceReader.ts"

const fixed = (uri: string, name: string) =>
  Resource.make({
    uri,
    name,
    title: name,
    summary: name,
    description: name,
    category: "workspace",
    scope: "offers:read",
    relatedCommands: [],
    example: {},
    payload: Schema.Struct({ name: Schema.String }),
    read: () => Effect.succeed({ name })
  })

const byId = (uri: string, name: string) =>
  Resource.make({
    uri,
    name,
    title: name,
    summary: name,
    description: name,
    category: "workspace",
    scope: "offers:read",
    relatedCommands: [],
    example: { id: "a/b" },
    payload: Schema.Struct({ id: Schema.String }),
    read: ({ id }) => Effect.succeed({ id })
  })

// The template comes first, so that finding the fixed one is no accident of order.
const resources = [
  byId("svc://drafts/{id}", "draft"),
  fixed("svc://drafts/pending", "pending"),
  fixed("svc://status", "status")
]

const outcome = (uri: string): string =>
  Result.match(matchResource(resources, uri), {
    onFailure: ({ code }) => code,
    onSuccess: ({ params, resource }) => `${resource.entry.name} ${JSON.stringify(params)}`
  })

const messageOf = (uri: string): string =>
  Result.match(matchResource(resources, uri), { onFailure: ({ message }) => message, onSuccess: () => "found" })

describe("resource URIs", () => {
  it("finds a fixed URI before a template that fits too", () => {
    assert.strictEqual(outcome("svc://status"), "status {}")
    assert.strictEqual(outcome("svc://drafts/pending"), "pending {}")
    assert.strictEqual(outcome("svc://drafts/drf_1"), 'draft {"id":"drf_1"}')
  })

  it("decodes a value exactly once", () => {
    assert.strictEqual(outcome("svc://drafts/a%2Fb"), 'draft {"id":"a/b"}')
    assert.strictEqual(outcome("svc://drafts/a%252Fb"), 'draft {"id":"a%2Fb"}')
    assert.strictEqual(outcome("svc://drafts/%70ending"), 'draft {"id":"pending"}')
  })

  it("tells what is no resource from what is no URI of this service", () => {
    for (const uri of [
      "svc://nothing",
      "svc://status/",
      "svc://drafts/",
      "svc://drafts",
      "svc://drafts/a/b",
      "svc://"
    ]) {
      assert.strictEqual(outcome(uri), "UNKNOWN_RESOURCE", uri)
    }
    for (const uri of ["svc://status?x=1", "svc://drafts/a#b", "svc://drafts/a?"]) {
      assert.strictEqual(outcome(uri), "UNKNOWN_RESOURCE", uri)
    }
    for (const uri of [
      "",
      "status",
      "http://status",
      "SVC://status",
      "svc:/status",
      "svc://drafts/%zz",
      "svc://drafts/%ff"
    ]) {
      assert.strictEqual(outcome(uri), "INVALID_INPUT", uri)
    }
    assert.strictEqual(outcome(`svc://drafts/${"a".repeat(2_000)}`), "INVALID_INPUT")
    assert.strictEqual(outcome("svc://drafts/%00"), "NOT_FOUND")
  })

  it("says what would have been right", () => {
    assert.include(messageOf("svc://statsu"), "Did you mean svc://status?")
    assert.include(messageOf("svc://status/"), "does not end with a slash")
    assert.include(messageOf("svc://status?full"), "has no query")
    assert.notInclude(messageOf(`http://${"x".repeat(1_000)}`), "xxx")
  })

  it("finds every value that was put into a template", () => {
    const value = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }).filter((text) => !text.includes("\0"))
    fc.assert(
      fc.property(value, (id) => {
        const uri = Resource.expand("svc://drafts/{id}", { id })
        const expected = uri === "svc://drafts/pending" ? "pending {}" : `draft ${JSON.stringify({ id })}`
        assert.strictEqual(outcome(uri), expected)
      })
    )
  })

  it("never throws, whatever it is asked", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.string({ unit: "binary" }).map((rest) => `svc://${rest}`)
        ),
        (uri) => {
          assert.isString(outcome(uri))
        }
      )
    )
  })
})
