/** The app of `@svc/console` that clients show beside a draft. */
import * as Effect from "effect/Effect"

/** The app, an HTML document, loaded when somebody reads it. */
export const reviewApp: Effect.Effect<string> = Effect.promise(async () => (await import("@svc/console")).app)
