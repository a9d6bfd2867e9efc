/** The workspace's status: it looks at every other domain, so it comes last in their order. */
import { GetWorkspaceStatus } from "./commands/GetWorkspaceStatus.ts"

export { WorkspaceStatus } from "./WorkspaceStatus.ts"
export { WorkspaceStatusRepo } from "./WorkspaceStatusRepo.ts"

/** The commands of this domain. */
export const commands = [GetWorkspaceStatus] as const
