/** Tests that each work in an organization of their own, which keeps them apart from whatever ran before them. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { owner } from "./memory.ts"
import { organization } from "./organization.ts"

/** The organization that commands of a test run in when nothing else is said. */
export const CurrentOrganization: Context.Reference<string> = Context.Reference<string>(
  "svc/test/support/CurrentOrganization",
  { defaultValue: () => "org_a" }
)

/** Its owner. */
export const currentOwner = Effect.map(CurrentOrganization, owner)

/** Makes an organization, and runs the test in it. */
export const inOrganization =
  (id: string) =>
  <A, E, R>(test: Effect.Effect<A, E, R>) =>
    Effect.andThen(organization(id), Effect.provideService(test, CurrentOrganization, id))
