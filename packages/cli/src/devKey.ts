/**
 * The key of `svc dev`, saved next to the data (mode 0600), so that it survives restarts and `SVC_API_KEY_FILE` can name
 * it.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { type Failure, Unavailable } from "@svc/core"
import {
  Authentication,
  bootstrap,
  createKey,
  ensureOrganization,
  type OperatorNeeds,
  type Workspaces
} from "@svc/core/workspace"
import * as Effect from "effect/Effect"

/** Path of the key, relative to the working directory. */
export const devKeyFile = ".svc/dev-key"

/** The key that `svc dev` saved in this folder, if it did. */
export const savedKey = Effect.promise(() =>
  readFile(devKeyFile, "utf8").then(
    (text) => text.trim(),
    () => undefined
  )
)

const saveKey = (text: string): Effect.Effect<void, Failure> =>
  Effect.tryPromise({
    try: async () => {
      await mkdir(dirname(devKeyFile), { recursive: true, mode: 0o700 })
      await writeFile(devKeyFile, `${text}\n`, { mode: 0o600 })
    },
    catch: () => new Unavailable({ message: `Can't write ${devKeyFile}. Check the permissions of the folder.` })
  })

/** A valid key: the saved one, or a new one for the oldest organization. */
export const devKey: Effect.Effect<string, Failure, Authentication | OperatorNeeds | Workspaces> = Effect.gen(
  function* () {
    const { authenticate } = yield* Authentication
    const text = yield* savedKey
    if (text !== undefined) {
      const actor = yield* Effect.option(authenticate(text))
      if (actor._tag === "Some") return text
    }
    const first = yield* bootstrap("dev")
    const made =
      first ?? (yield* Effect.flatMap(ensureOrganization("dev"), ({ id }) => createKey(id, { name: "svc dev" })))
    yield* saveKey(made.text)
    return made.text
  }
)
