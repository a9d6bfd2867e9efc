/** Rate limits shared through Redis. */
export { makeRedis } from "./RedisConnection.ts"
export { layer as sharedLimitsLayer } from "./sharedLimits.ts"
