/** An erased person is found in files that wait for approval, whatever their encoding. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { noPolicies } from "#core/kernel/command/Permission.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import { actor, ask, code, lead, ok } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

const utf16 = (text: string) => Buffer.from(text, "utf16le")

/** A file's text, as a caller may send it. */
const encodings: Readonly<Record<string, (text: string) => { readonly content: string; readonly encoding?: string }>> =
  {
    text: (content) => ({ content }),
    "UTF-8 in Base64": (text) => ({ content: Buffer.from(text).toString("base64"), encoding: "base64" }),
    "UTF-8 with a mark, in lines of Base64": (text) => ({
      content: Buffer.from(`\ufeff${text}`).toString("base64").replace(/.{76}/g, "$&\r\n"),
      encoding: "base64"
    }),
    "UTF-16 LE": (text) => ({ content: utf16(`\ufeff${text}`).toString("base64"), encoding: "base64" }),
    "UTF-16 BE": (text) => ({ content: utf16(`\ufeff${text}`).swap16().toString("base64"), encoding: "base64" }),
    "UTF-16 LE without a mark": (text) => ({ content: utf16(text).toString("base64"), encoding: "base64" }),
    "UTF-16 BE without a mark": (text) => ({ content: utf16(text).swap16().toString("base64"), encoding: "base64" }),
    "Windows-1252": (text) => ({ content: Buffer.from(text, "latin1").toString("base64url"), encoding: "base64" })
  }

const header = "Adresse;Kennung;LinkedIn ID;Empfohlen von;Größe"
const mapping = { Adresse: "email", Kennung: "custom_id" }

/** Rows that name the person, each by one identifier; the last one where the import would not look. */
const naming: Readonly<Record<string, string>> = {
  email: '"Ada <ADA@byron.example>";;;;7',
  "custom id": "; -17 ;;;7",
  "member id": ";;117649604;;7",
  "a formula's apostrophe": ";'-17;;;7",
  "a column that is ignored": "other@example.com;;;linkedin.com/in/ada-byron;7",
  "a row with too many cells": "other@example.com;;;;7;;ada@byron.example"
}

const strangers = ["stranger@example.com;-170;1176496040;ada@example.com;-17", "ada@byron.example.org;;;;117649604"]

eachBackend("erasure of people in files", (layer) =>
  it.layer(layer)((it) => {
    it.effect.each(Object.entries(encodings))("%s", ([name, encode]) =>
      Effect.gen(function* () {
        const organizationId = yield* CurrentOrganization
        yield* ok("mission.create", { name: "Spring", handle: "spring" })
        const agent = actor(organizationId, {
          kind: "AI_AGENT",
          keyId: "aaaaaaaaaaaa",
          policies: { ...noPolicies, key: { approval: "ask" } }
        })
        const held = Effect.fnUntraced(function* (row: string) {
          const file = encode(`${header}\r\nx@example.com;x;;;\r\n${row}\r\n`)
          const { envelope } = yield* ask("import.csv", { mission_id: "spring", mapping, ...file }, { actor: agent })
          const id = envelope.meta.approval_request_id
          return id === "" ? assert.fail(JSON.stringify(envelope)) : id
        })
        const lead_id = yield* lead({ email: "ada@byron.example", custom_id: "-17", linkedin_id: "117649604" })
        yield* ok("lead.upsert", { lead_id, linkedin_url: "linkedin.com/in/ada-byron" })
        const theirs = new Map<string, string>()
        for (const [what, row] of Object.entries(naming)) theirs.set(what, yield* held(row))
        const others = yield* Effect.forEach(strangers, held)

        yield* ok("lead.erase", { lead_id, confirm: lead_id })

        for (const [what, id] of theirs) {
          assert.strictEqual(yield* code("approval.get", { approval_request_id: id }), "NOT_FOUND", `${name}: ${what}`)
        }
        for (const id of others)
          assert.strictEqual(yield* code("approval.get", { approval_request_id: id }), "ok", name)
        const [first = ""] = others
        const { result } = yield* ok("approval.resolve", { approval_request_id: first, decision: "approve" })
        assert.strictEqual(result.created_count, 2, "a file of others is still imported")
      }).pipe(inOrganization(`org_${name.replace(/\W/g, "").toLowerCase()}`))
    )
  })
)
