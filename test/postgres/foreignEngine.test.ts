/** Servers that speak PostgreSQL's protocol and are something else are refused, each with what it lacks. */
import { assert, describe, it } from "@effect/vitest"
import { foreignEngine } from "#postgres/Server.ts"

const messageOf = (version: string) => foreignEngine("db at host", version)?.message

describe("a server that is not PostgreSQL", () => {
  it.for([
    [
      "CockroachDB CCL v25.2.1 (x86_64-pc-linux-gnu, built 2025/06/04 15:47:12, go1.23.7)",
      "CockroachDB, and its advisory"
    ],
    [
      "PostgreSQL 15.2-YB-2025.1.0.1-b0 on x86_64-pc-linux-gnu, compiled by clang version 17, 64-bit",
      "YugabyteDB, and its"
    ],
    [
      "PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC gcc (GCC) 3.4.2, Redshift 1.0.77467",
      "Redshift, and it enforces"
    ],
    ["PostgreSQL 16", "Aurora DSQL, and it has no foreign keys"]
  ] as const)("%s", ([version, named]) => {
    assert.include(messageOf(version), `The database db at host is `)
    assert.include(messageOf(version), named)
    assert.include(messageOf(version), "Use PostgreSQL 15 or newer")
  })

  it.for([
    "PostgreSQL 15.18 (Debian 15.18-0+deb12u1) on x86_64-pc-linux-gnu, compiled by gcc (Debian 12.2.0-14) 12.2.0, 64-bit",
    "PostgreSQL 17.5 on x86_64-pc-linux-gnu, compiled by emcc (Emscripten gcc/clang-like replacement) 3.1.74, 32-bit",
    "PostgreSQL 16.9 on aarch64-unknown-linux-gnu, compiled by gcc, 64-bit",
    "PostgreSQL 15.4 (EnterpriseDB Advanced Server 15.4.0) on x86_64-pc-linux-gnu, compiled by gcc, 64-bit"
  ])("%s is PostgreSQL", (version) => assert.isUndefined(messageOf(version)))
})
