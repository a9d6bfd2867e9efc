/** The catalogue for an agent's process: loaded when the first message needs it, and never before the first answer. */
import * as Catalog from "@svc/core/Catalog"
import { commands } from "@svc/core/commands"
import { makeResources } from "@svc/core/resources"
import { callTool, makeToolbox, type Toolbox } from "@svc/mcp/Toolbox"
import type { Toolset } from "@svc/mcp/toolsets"

/** The tools of a toolset. */
export const toolboxOf = (toolset: Toolset): Toolbox => makeToolbox(Catalog.make(commands), toolset)

/** The resources of the service. */
export const resourceEntries = () => makeResources(commands).map(({ entry }) => entry)

export { callTool }
