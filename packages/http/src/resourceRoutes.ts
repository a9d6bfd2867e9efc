import * as Effect from "effect/Effect"
import type { Route } from "./Route.ts"
export const resourceRoutes: Effect.Effect<ReadonlyArray<Route>> = Effect.succeed([])
