/** Rate limits shared through Redis. */
export { layer as sharedLimitsLayer, makeRedis } from "./RedisConnection.ts"
