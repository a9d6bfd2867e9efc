/** Finding one transmission of the actor's organization. */

import * as Effect from "effect/Effect"
import { Actor } from "../../kernel/command/Execution.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"
import { isOfKind } from "./TransmissionView.ts"

const names = { message: "queue item", invitation: "invitation", email: "e-mail" } as const

const readAs = <Kind extends keyof typeof names>(kind: Kind, by: "find" | "hold") =>
  Effect.fnUntraced(function* (id: string) {
    const { organizationId } = yield* Actor
    const view = yield* (yield* TransmissionsRepo)[by](organizationId, id)
    if (view !== undefined && isOfKind(kind)(view)) return view
    return yield* new NotFound({ kind: names[kind], id })
  })

/** Reads a message, an invitation or an e-mail. Each fails with NOT_FOUND. */
export const readMessage = readAs("message", "find")
export const readInvitation = readAs("invitation", "find")
export const readEmail = readAs("email", "find")

/** The same, with its lead and itself held until the transaction ends. */
export const holdInvitation = readAs("invitation", "hold")
export const holdEmail = readAs("email", "hold")
