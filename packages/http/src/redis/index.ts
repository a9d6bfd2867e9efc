/** Rate limits shared through Redis. Importing this loads the Redis client. */
export { makeRedis } from "./RedisConnection.ts"
export { layer as sharedLimitsLayer } from "./sharedLimits.ts"
