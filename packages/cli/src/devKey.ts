/**
 * The key of `svc dev`: kept beside the data (mode 0600), so that it is the same after a restart and
 * `SVC_API_KEY_FILE` can name it.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { type Failure, fail } from "@svc/core/Failure"
import { Authentication } from "@svc/core/workspace/Authentication"
import type { OperatorNeeds } from "@svc/core/workspace/asOperator"
import { bootstrap, createKey, oldestOrCreated } from "@svc/core/workspace/Provisioning"
import type { Workspaces } from "@svc/core/workspace/Workspaces"
import * as Effect from "effect/Effect"

/** Where the key is kept, relative to the working directory. */
export const devKeyFile = ".svc/dev-key"

const kept = Effect.promise(() =>
  readFile(devKeyFile, "utf8").then(
    (text) => text.trim(),
    () => undefined
  )
)

const keep = (text: string): Effect.Effect<void, Failure> =>
  Effect.tryPromise({
    try: async () => {
      await mkdir(dirname(devKeyFile), { recursive: true, mode: 0o700 })
      await writeFile(devKeyFile, `${text}\n`, { mode: 0o600 })
    },
    catch: () => fail("UNAVAILABLE", `${devKeyFile} cannot be written. Check the rights of the folder.`)
  })

/** The text of a key that this database accepts: the kept one, or a new one for the oldest organization. */
export const devKey: Effect.Effect<string, Failure, Authentication | OperatorNeeds | Workspaces> = Effect.gen(
  function* () {
    const { authenticate } = yield* Authentication
    const text = yield* kept
    if (text !== undefined) {
      const actor = yield* Effect.option(authenticate(text))
      if (actor._tag === "Some") return text
    }
    const first = yield* bootstrap("dev")
    const made =
      first ?? (yield* Effect.flatMap(oldestOrCreated("dev"), ({ id }) => createKey(id, { name: "svc dev" })))
    yield* keep(made.text)
    return made.text
  }
)
