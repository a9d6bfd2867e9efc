/**
 * Flags of Node where tests keep every core busy: threads that help V8 to collect and compile only get in the way of the
 * other worker, and take 6 % more processor time (nine files in one worker, and `svc orgs list` and `svc serve`, each in turn).
 */
import { availableParallelism } from "node:os"

export const fewCoreFlags = availableParallelism() <= 2 ? ["--single-threaded"] : []
