/** What an import of a file says of its columns, on every store: in a preview as in the result. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { defaultOptions } from "#core/kernel/command/Execution.ts"
import { inOrganization } from "../support/inOrganization.ts"
import { ask, ok } from "../support/World.ts"
import { eachOutreach } from "./outreachWorld.ts"

const content = [
  "Kennung,Custom id,Vorname,Company,LinkedIn Profil URL,Erreichbar,Farbe,Compnay Size",
  "1,c-1,Ada,Acme,https://www.linkedin.com/in/mapping-ada,ada@mapping.example,blau,10",
  "2,c-2,Carl,Acme,https://www.linkedin.com/in/mapping-carl,,rot,20"
].join("\r")

const looksLike = (column: string, field: string) =>
  `column "${column}" is ignored, but looks like ${field}. Rename it to ${field}, or send mapping ` +
  `{"${column}": "${field}"}; null ignores it.`

eachOutreach("the columns of a file", (layer) =>
  it.layer(layer)((it) => {
    it.effect("show in a dry run what the first ten rows become, and nothing of it otherwise", () =>
      Effect.gen(function* () {
        yield* ok("mission.create", { name: "Preview" })
        const rows = Array.from({ length: 12 }, (_, n) => `p${n}@preview.example;Person ${n};x`)
        const file = ["Mail;Wer;Farbe", "broken;a;b;c;d", ...rows].join("\n")
        const input = { mission_id: "preview", content: file, mapping: { Wer: "name" } }
        const dry = { options: { ...defaultOptions, dryRun: true } }
        const { preview } = yield* ok("import.csv", input, dry)
        assert.lengthOf(preview, 10)
        assert.deepStrictEqual(preview[0], {}, "more cells than the header has")
        assert.deepStrictEqual(preview[1], { email: "p0@preview.example", name: "Person 0" })
        assert.deepStrictEqual((yield* ok("import.csv", input)).preview, [])
        assert.deepStrictEqual((yield* ok("import.csv", input)).preview, [], "as little of a file that is known")
      }).pipe(inOrganization("org_preview"))
    )

    it.effect("are named as matched, guessed or ignored, in the preview, the result and a file that is known", () =>
      Effect.gen(function* () {
        yield* ok("mission.create", { name: "Columns" })
        const told = Effect.fnUntraced(function* (options: { readonly dryRun?: boolean }, more: object = {}) {
          const extra = { options: { ...defaultOptions, ...options } }
          const { envelope } = yield* ask("import.csv", { mission_id: "columns", content, ...more }, extra)
          if (!envelope.ok) return assert.fail(envelope.error.message)
          const { mapping } = Object(envelope.data)
          return {
            columns: mapping.map((one: Record<string, unknown>) => Object.values(one).join(" ")),
            warnings: envelope.meta.warnings.filter((warning) => warning.startsWith("column "))
          }
        })
        const expected = {
          columns: [
            "Kennung  ignored ",
            "Custom id custom_id matched ",
            "Vorname first_name guessed ",
            "Company company matched ",
            "LinkedIn Profil URL  ignored linkedin_url",
            "Erreichbar  ignored email",
            "Farbe  ignored ",
            "Compnay Size  ignored company_size"
          ],
          warnings: [looksLike("LinkedIn Profil URL", "linkedin_url"), looksLike("Erreichbar", "email")]
        }
        for (const dryRun of [true, false, false]) assert.deepStrictEqual(yield* told({ dryRun }), expected)
        const found = yield* ok("lead.search", { mission_id: "columns" })
        assert.strictEqual(found.leads.length, 2)
        const mapping = { "LinkedIn Profil URL": "linkedin_url", Erreichbar: null }
        const mapped = yield* told({}, { mapping })
        assert.deepStrictEqual(mapped.warnings, [])
        assert.include(mapped.columns, "LinkedIn Profil URL linkedin_url matched ")
        assert.include(mapped.columns, "Erreichbar  ignored ")
        const lead = (yield* ok("lead.get", { linkedin_url: "https://www.linkedin.com/in/mapping-carl" })).lead
        assert.strictEqual(lead.name, "Carl")
      }).pipe(inOrganization("org_columns"))
    )
  })
)
