/** What is worked out of an e-mail to a lead. */

import { openingFrom } from "../outreach/transmission/pacing/Pacing.ts"
import type { EmailRow } from "../outreach/transmission/Transmission.ts"
import type { TransmissionView } from "../outreach/transmission/TransmissionView.ts"

/** An e-mail with what is shown beside it. */
export type EmailView = TransmissionView<EmailRow>

/** Why an e-mail waits for the agent's working hours. */
export const outsideHours = "outside_hours"

/** The first instant from `at` on at which an e-mail may leave by working hours; `at` itself when it is one. */
export const opensAt = ({ agent, lead }: Pick<EmailView, "agent" | "lead">, at: string): string =>
  openingFrom(agent, lead.timezone === "" ? undefined : lead.timezone, at)
