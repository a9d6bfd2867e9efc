/** How much is logged. */
export const logLevels = ["trace", "debug", "info", "warn", "error", "none"] as const
