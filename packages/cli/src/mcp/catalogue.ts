/** The catalogue for `svc mcp`, loaded on first use. */
import { makeCatalog } from "@svc/core"
import { commands } from "@svc/core/commands"
import { makeResources } from "@svc/core/resources"
import { callTool, makeToolbox, type Toolbox, type Toolset } from "@svc/mcp"

/** The tools of a toolset. */
export const toolboxOf = (toolset: Toolset): Toolbox => makeToolbox(makeCatalog(commands), toolset)

/** The resources of the service. */
export const resourceEntries = () => makeResources(commands).map(({ entry }) => entry)

export { callTool }
