/** A one-time link that several browsers use at the same moment. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { createKey } from "#core/workspace/organizations/Provisioning.ts"
import { createSignInLink, SignIn, layer as signInLayer } from "#core/workspace/sessions/SignIn.ts"
import { hasPostgres } from "../support/backends.ts"
import { organization } from "../support/organization.ts"
import * as World from "../support/World.ts"

const links = 30
const browsers = 6

describe.skipIf(!hasPostgres())("a sign-in link that several browsers use at once", () => {
  it.layer(Layer.provideMerge(signInLayer, World.make({ backend: "postgres" })))((it) => {
    it.effect("signs one of them in", () =>
      Effect.gen(function* () {
        yield* organization("org_race")
        const { key } = yield* createKey("org_race", { name: "Lea" })
        const { withLink } = yield* SignIn
        for (let n = 0; n < links; n++) {
          const [, code = ""] = (yield* createSignInLink(key.keyId)).split("#link=")
          const signIn = Effect.match(withLink(code), { onSuccess: () => "ok", onFailure: (failure) => failure.code })
          const outcomes = yield* Effect.all(
            Array.from({ length: browsers }, () => signIn),
            { concurrency: browsers }
          )
          assert.deepStrictEqual(outcomes.toSorted(), [...Array(browsers - 1).fill("UNAUTHENTICATED"), "ok"])
        }
      })
    )
  })
})
