/** What promises were rejected with. */
import { SvcError } from "@svc/client"
import { assert } from "vitest"

/** The reason that a promise is rejected with. */
export const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("it did not reject"),
    (error: unknown) => error
  )

/** The code of the `SvcError` that a promise is rejected with. */
export const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  const error = await caught(promise)
  return error instanceof SvcError ? error.code : assert.fail(String(error))
}
