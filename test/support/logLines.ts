/** The log of a process. */
import { assert } from "@effect/vitest"

/** A line of the log, with its fields beside what every line has. */
export interface LogLine extends Readonly<Record<string, unknown>> {
  readonly timestamp: string
  readonly level: string
  readonly message: string
}

/** The lines of stderr, all of which must have the one shape. */
export const logLines = (stderr: string): ReadonlyArray<LogLine> =>
  stderr
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const { cause, level, message, timestamp, ...fields } = Object(JSON.parse(line))
      assert.deepStrictEqual(Object.keys(JSON.parse(line)).slice(0, 3), ["timestamp", "level", "message"], line)
      assert.strictEqual(new Date(timestamp).toISOString(), timestamp, line)
      assert.include(["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"], level, line)
      assert.isString(message, line)
      assert.isAbove(message.length, 3, line)
      assert.include(["string", "undefined"], typeof cause, line)
      return { timestamp, level, message, cause, ...fields }
    })
