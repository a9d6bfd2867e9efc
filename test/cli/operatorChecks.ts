/** What the operator commands must do on any database that is kept. */
import { assert } from "@effect/vitest"
import { oneJson, type Ran } from "../support/svcProcess.ts"

const errorCode = (ran: Ran): unknown => Object(oneJson(ran)["error"]).code

/** The HTTP status that a key gets. */
export const statusWith = async (url: string, key: string): Promise<number> => {
  const response = await fetch(`${url}/api/v1/offers`, { headers: { authorization: `Bearer ${key}` } })
  await response.body?.cancel()
  return response.status
}

/** Makes, lists, rotates and revokes; the server at `url`, on the same database, must follow within a second. */
export const operatorChecks = async (
  run: (args: ReadonlyArray<string>) => Promise<Ran>,
  url: string
): Promise<void> => {
  const json = async (...args: ReadonlyArray<string>) => {
    const ran = await run([...args, "--json"])
    assert.strictEqual(ran.code, 0, ran.stdout + ran.stderr)
    return oneJson(ran)
  }
  const answersWith = async (key: string, status: number) => {
    assert.strictEqual(await statusWith(url, key), status)
  }

  const organization = await json("orgs", "create", "Acme, Inc.")
  assert.deepStrictEqual(Object.keys(organization), ["organization_id", "api_key"])
  const org = String(organization["organization_id"])
  await answersWith(String(organization["api_key"]), 200)

  const made = await json("keys", "create", "--org", org, "--name", "Second")
  assert.deepStrictEqual(Object.keys(made), ["key_id", "api_key"])
  const keyId = String(made["key_id"])
  const key = String(made["api_key"])
  assert.include(key, `_${keyId}_`)
  await answersWith(key, 200)

  const listed = await run(["keys", "list", "--org", org, "--json"])
  const keys: ReadonlyArray<Readonly<Record<string, unknown>>> = Object(oneJson(listed)["keys"])
  assert.deepStrictEqual(
    keys.map(({ name }) => name),
    ["first key", "Second"]
  )
  assert.notInclude(listed.stdout, key.slice(-50))
  assert.notInclude(listed.stdout, "hash")

  const rotated = await json("keys", "rotate", keyId, "--overlap-seconds", "0")
  const newKey = String(rotated["api_key"])
  assert.strictEqual(rotated["key_id"], keyId)
  assert.notStrictEqual(newKey, key)
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  await answersWith(newKey, 200)
  await answersWith(key, 401)

  const revoked = await json("keys", "revoke", keyId)
  assert.isString(revoked["revoked_at"])
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  await answersWith(newKey, 401)
  await answersWith(String(organization["api_key"]), 200)
  assert.deepStrictEqual(await json("keys", "revoke", keyId), revoked, "revoking twice is fine")

  const late = await run(["keys", "rotate", keyId, "--json"])
  assert.strictEqual(late.code, 5)
  assert.strictEqual(errorCode(late), "WRONG_STATE")
  for (const args of [
    ["keys", "create", "--org", "org_nobody"],
    ["keys", "list", "--org", "org_nobody"],
    ["keys", "revoke", "aaaaaaaaaaaa"],
    ["keys", "rotate", "aaaaaaaaaaaa"]
  ]) {
    const ran = await run([...args, "--json"])
    assert.strictEqual(ran.code, 4, args.join(" "))
    assert.strictEqual(errorCode(ran), "NOT_FOUND")
  }
  assert.strictEqual((await run(["orgs", "create", "", "--json"])).code, 2)
}
