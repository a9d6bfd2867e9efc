/** What an editor shows of the library where a program uses it. */
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { API } from "typescript/unstable/sync"
import { commands } from "#core/commands.ts"
import { root } from "../support/sources.ts"

/** Which the cursor is on; the name of the command. */
const uses: ReadonlyArray<readonly [expression: string, id: string]> = [
  ["svc.leads.upsert", "lead.upsert"],
  ["svc.offers.list", "offer.list"],
  ["svc.imports.salesNav.search", "import.sales-nav.search"],
  ["own.leads.upsert", "lead.upsert"],
  ["remote.missions.get", "mission.get"]
]

const program = `
import { createClient } from "@svc/client"
import { createSvc } from "@svc/embed"
import type { HostCommand } from "@svc/embed"
declare const added: HostCommand & { readonly id: "lead.burn" }
const svc = await createSvc()
const own = await createSvc({ commands: [added] })
const remote = createClient({ url: "http://127.0.0.1:4700" })
export const used = [${uses.map(([expression]) => expression).join(", ")}, own.leads.burn]
`

describe("an editor", () => {
  it("shows what a method does, of an embedded service, a remote one, and one with commands of its own", async () => {
    const folder = await mkdtemp(join(tmpdir(), "svc-hover-"))
    await symlink(join(root, "node_modules"), join(folder, "node_modules"))
    const compilerOptions = { module: "nodenext", target: "es2023", strict: true, types: [], skipLibCheck: true }
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }))
    await writeFile(join(folder, "package.json"), '{ "type": "module" }')
    const file = join(folder, "program.ts")
    await writeFile(file, program)
    const api = new API()
    const [project] = api.updateSnapshot({ openProjects: [join(folder, "tsconfig.json")] }).getProjects()
    assert.isDefined(project)
    if (project === undefined) return
    const shown = uses.map(([expression]) => {
      const at = program.lastIndexOf(expression) + expression.lastIndexOf(".") + 1
      return project.checker.getSymbolAtPosition(file, at)?.getDocumentationComment(project.checker)
    })
    assert.deepStrictEqual(project.program.getSemanticDiagnostics(file), [])
    api.close()
    await rm(folder, { recursive: true })
    assert.deepStrictEqual(
      shown,
      uses.map(([, id]) => commands.find((command) => command.id === id)?.summary)
    )
  })
})
