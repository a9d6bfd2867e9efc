/** For programs that are the service, as the command line is: settings, logs, and the layers of a process. */

export * as Composition from "../Composition.ts"
export { type HostParts, hostParts } from "../catalogueLayer.ts"
export { ownGatewayLayer } from "../functionGateway.ts"
export { orThrow } from "../hostFailure.ts"
export { loggingLayer, logLine, logsJson } from "../logging.ts"
export { mcpPath } from "../mcpRoutes.ts"
export { reviewApp } from "../reviewApp.ts"
export { seedSample } from "../Sample.ts"
export { type Environment, type GatewayName, readSettings, type Settings, variables } from "../Settings.ts"
export { svcChecks } from "../SvcOptions.ts"
export { fileVariable, findText, isOpenToOthers, type VariableName } from "../settingValues.ts"
