/** The catalogue for `svc mcp`, loaded on first use. */
import { makeCatalog } from "@svc/core"
import { commands } from "@svc/core/commands"
import { makeResources } from "@svc/core/resources"
import type { HostParts } from "@svc/embed/composition"
import { makeToolbox, parseToolset, type ResultForm, type Toolset, tokensOf } from "@svc/mcp"

/** The tools of a toolset, those of the host's commands among them. */
export const toolboxOf = (toolset: Toolset, { commands: own = [] }: HostParts = {}, form: ResultForm = "text") =>
  makeToolbox(makeCatalog([...commands, ...own]), toolset, form)

/** The resources of the service and its host. */
export const resourceEntries = ({ commands: own = [], resources = [] }: HostParts = {}) =>
  [...makeResources([...commands, ...own]), ...resources].map(({ entry }) => entry)

export { parseToolset, tokensOf }
