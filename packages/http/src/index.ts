/** The HTTP surface: the catalogue, REST, resources and hosts. */

export { Caller, layerBearer as callerLayerBearer } from "./Caller.ts"
export {
  ExtraRoutes,
  ExtraRoutes as httpAppExtraRoutes,
  HttpApp,
  layer as httpAppLayer,
  layerLimitsInProcess as httpAppLayerLimitsInProcess
} from "./HttpApp.ts"
export {
  type FetchHandler,
  type FrameworkRequest,
  type FrameworkResponse,
  HttpHandlers,
  layer as httpHandlersLayer,
  type NodeHandler,
  type NodeRequest,
  type NodeResponse
} from "./HttpHandlers.ts"
export { HttpSettings } from "./HttpSettings.ts"
export { lossyJsonProblem, parseJson } from "./JsonText.ts"
export { metricsRoute } from "./metricsRoute.ts"
export { insufficientScope, issuerOf, resourcePath } from "./oauth/issuer.ts"
export {
  type ClaimRule,
  IdentityProvider,
  type ProviderSettings,
  parseIssuer,
  parseRules
} from "./provider/ProviderSettings.ts"
export { Readiness } from "./Readiness.ts"
export { type BodyLimit, defaultBodyLimit, readJson } from "./RequestBody.ts"
export type { PageAsset, ReviewPage, WebPage } from "./ReviewPage.ts"
export type { KeyedCall, Route } from "./Route.ts"
export { parseRedisUrl, type RedisTarget } from "./redis/RedisUrl.ts"
export { failureResponse, json } from "./responses.ts"
