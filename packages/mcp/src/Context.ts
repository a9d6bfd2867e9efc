/** Who calls, and how to reach them before the reply. */
import type { Mode } from "./elicitation/ClientSession.ts"
import type { Notify } from "./progress.ts"
import type { Workspace } from "./Workspace.ts"

/**
 * The caller's workspace, where notifications and requests before the reply go, and how a client that said so at
 * `initialize` can ask its user.
 */
export interface Context {
  readonly workspace: Workspace
  readonly notify?: Notify
  readonly modes?: ReadonlyArray<Mode>
}
