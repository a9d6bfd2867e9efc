/** The failures of agents. */

import { Failure } from "../kernel/failure/Failure.ts"
import type { AgentId } from "../kernel/schema/IdsAndTime.ts"

/** Another agent has one of the e-mail accounts. */
export class DuplicateEmailAccount extends Failure.define("DUPLICATE_EMAIL_ACCOUNT") {}

/** Missions or unsent messages use the agent. */
export class AgentInUse extends Failure.define("AGENT_IN_USE")<{ readonly agentId: AgentId }> {}
