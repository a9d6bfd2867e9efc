/** The HTTP surface: the catalogue, REST, resources and hosts. */

export {
  bearerOf,
  Caller,
  countingUnknown,
  kindOfKey,
  layerBearer as callerLayerBearer,
  withActorKind
} from "./Caller.ts"
export { parseTrustedProxies, type TrustedProxies } from "./clientAddress.ts"
export {
  ExtraRoutes,
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
export { HttpSettings, type PageAsset, type ReviewPage, type WebPage } from "./HttpSettings.ts"
export { Readiness } from "./healthRoutes.ts"
export { baseOf, insufficientScope, issuerOf, metadataPath, resourceAt, resourcePath, usualScopes } from "./issuer.ts"
export { jsonTextProblem, parseJson } from "./JsonText.ts"
export { metricsRoute } from "./metricsRoute.ts"
export { make as makeRateLimits, type RateLimits } from "./RateLimits.ts"
export * from "./RequestBody.ts"
export { type KeyedCall, openRoute, type Route } from "./Route.ts"
export { parseRedisUrl, type RedisTarget } from "./redis/RedisUrl.ts"
export { failureResponse, type Html, html, json, styledPage } from "./responses.ts"
export { workspacePlaces } from "./reviewRoutes.ts"
export * from "./sessionCookie.ts"
