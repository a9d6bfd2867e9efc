/** Commands that this program does not know: those of `svc.config.js`, and those that the service lists. */

import type { JsonSchema } from "@svc/core"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { placeOf } from "./commands/generated.ts"
import { findTarget } from "./findTarget.ts"
import { type Listed, listedOf } from "./generated/flagsOf.ts"
import { loadHostConfig } from "./hostConfig.ts"
import { type Json, note } from "./Output.ts"
import { dataOf, get, objectsOf, openNothing, type Target } from "./Target.ts"

const configured: Effect.Effect<ReadonlyArray<Listed>> = Effect.suspend(() => loadHostConfig(process.env)).pipe(
  Effect.map(({ commands = [] }) => commands.map(listedOf)),
  Effect.catch(({ message }) => Effect.as(note(`svc: ${message}`), []))
)

const inputOf = (code: unknown): Json => {
  const input: unknown = typeof code === "string" ? JSON.parse(code) : {}
  return Predicate.isReadonlyObject(input) ? input : {}
}

/** A command as the service describes it. */
const listedIn = (described: Json): Listed => {
  const text = (name: string) => String(described[name] ?? "")
  const schema: JsonSchema = Object(described["input_schema"])
  return {
    id: text("command_id"),
    summary: text("summary"),
    description: text("description"),
    whenToUse: text("when_to_use"),
    writes: described["risk"] !== "read",
    schema: () => schema,
    examples: objectsOf(described["examples"])
      .filter(({ language }) => language === "json")
      .map(({ code, title }) => ({ title: String(title), input: inputOf(code) }))
  }
}

const describedBy = Effect.fnUntraced(function* (target: Target, family: string) {
  const list = yield* get(target, "/api/v1/commands")
  const ids = objectsOf(dataOf(list)["commands"])
    .map(({ command_id }) => String(command_id))
    .filter((id) => id.startsWith(`${family}.`) && placeOf(id.split(".")) !== "command")
  return yield* Effect.forEach(ids, (id) =>
    Effect.map(get(target, `/api/v1/commands/${encodeURIComponent(id)}/schema`), (reply) =>
      listedIn(Object(dataOf(reply)["command"]))
    )
  )
})

/** The flag `--base-url` of arguments that are not parsed yet. */
const baseUrlIn = (args: ReadonlyArray<string>): string | undefined => {
  const index = args.findIndex((arg) => /^--base-url(=|$)/.test(arg))
  const flag = args[index]
  return flag?.includes("=") === true ? flag.slice(flag.indexOf("=") + 1) : args[index + (index === -1 ? 0 : 1)]
}

const served = (family: string, args: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Listed>> =>
  // A database of its own has the commands that this program knows.
  findTarget(process.env, baseUrlIn(args), openNothing).pipe(
    Effect.flatMap((target) => describedBy(target, family)),
    Effect.scoped,
    // Then the words are unknown.
    Effect.orElseSucceed(() => [])
  )

/** The commands that words of a group, or of nothing, may mean; `place` is what they lead to in the catalogue. */
export const ownCommands = (family: string, args: ReadonlyArray<string>, place: "group" | "nothing") =>
  Effect.runPromise(
    Effect.gen(function* () {
      const own = yield* configured
      if (place === "group" || own.some(({ id }) => id.startsWith(`${family}.`))) return own
      return [...own, ...(yield* served(family, args))]
    })
  )
