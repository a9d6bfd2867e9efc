/** What the leads of an import get where neither their row nor what is known of them says it. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { warn } from "../kernel/command/Execution.ts"
import { lawfulBases } from "../kernel/command/Permission.ts"
import { nonEmptyLine } from "../kernel/schema/TextFields.ts"
import type { ImportRun, LeadDefaults } from "./ImportRun.ts"

/** The input fields. */
export const defaultFields = {
  source: Schema.optionalKey(nonEmptyLine(200, "Where the leads come from; of leads that have no source")),
  lawful_basis: Schema.optionalKey(
    Schema.Literals(lawfulBases).annotate({ description: "Lawful basis (GDPR, article 6) of leads that have none" })
  )
}

/** The defaults of an input. */
export const defaultsOf = (input: LeadDefaults): LeadDefaults => Struct.pick(input, ["source", "lawful_basis"])

/** Warns of defaults that are ignored, as an import keeps those that it started with. */
export const warnOfDefaults = ({ defaults }: ImportRun, input: LeadDefaults) =>
  Effect.forEach(["source", "lawful_basis"] as const, (name) =>
    input[name] === undefined || input[name] === defaults[name]
      ? Effect.void
      : warn(`${name}: ignored, as the import keeps what it started with.`)
  )
