/** The e-mails of a process: looks again and again for what is due. */
import * as Layer from "effect/Layer"
import { repeatRound } from "../../kernel/background/Worker.ts"
import { dispatchEmails, type EmailNeeds } from "./emails.ts"

/** Works as long as the layer lives. */
export const layer: Layer.Layer<never, never, EmailNeeds> = Layer.effectDiscard(
  repeatRound("e-mails", dispatchEmails(), "1 second")
)
