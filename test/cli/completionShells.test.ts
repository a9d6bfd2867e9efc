/** `svc completions` in the real zsh and fish: commands, flags, and the values that svc knows. */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { svcInProcess as svc } from "../support/svcInProcess.ts"

/** Whether a shell is installed. The run says so if not, and fails in CI. */
const hasShell = (name: string): boolean => {
  if (spawnSync(name, ["--version"]).error === undefined) return true
  const why = `${name} is not installed (apt-get install ${name})`
  if (process.env.CI === "true") throw new Error(`${why}; CI runs the completions of svc in it.`)
  console.warn(`${why}: its completions are not tested.`)
  return false
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-completions-"))
})
afterAll(() => rmSync(folder, { recursive: true }))

const written = async (shell: string, name: string): Promise<string> => {
  const file = join(folder, name)
  writeFileSync(file, (await svc(["completions", shell])).stdout)
  return file
}

describe.skipIf(!hasShell("fish"))("completions in fish", () => {
  it("are commands, flags, and the values that svc knows", async () => {
    const file = await written("fish", "svc.fish")
    const lines = {
      "svc lead ups": ["upsert"],
      "svc lead upsert --linkedin-u": ["--linkedin-url"],
      "svc mission get fi": ["first-missions"],
      "svc drafts review --mission ": ["first-missions", "second-missions"],
      "svc linkedin draft create --agent-handle ": ["first-agents", "second-agents"],
      "svc login --profile ": ["first-profiles", "second-profiles"],
      "svc explain ": ["first-codes", "second-codes"],
      "svc offer check ": ["first-offers", "second-offers"],
      "svc mission list ": []
    }
    const asked = Object.keys(lines).map((line) => `echo "== ${line}"; complete -C '${line}'`)
    // The values come from svc, here one that says what it was asked for.
    const script = ["function svc; echo first-$argv[4]; echo second-$argv[4]; end", `source ${file}`, ...asked]
    const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder }
    const [, ...found] = execFileSync("fish", ["-c", script.join("\n")], { env })
      .toString()
      .split("== ")
    const values = found.map((part) => {
      const [line, ...words] = part.split("\n").map((one) => one.split("\t")[0] ?? "")
      return [line, words.filter((word) => word !== "" && (!word.startsWith("--") || line?.includes("--l")))]
    })
    assert.deepStrictEqual(Object.fromEntries(values), lines)
  })
})

describe.skipIf(!hasShell("zsh"))("completions in zsh", () => {
  /** What the command line is after typing and Tab, in a zsh of its own with a terminal. */
  const typed = (load: string, line: string): string =>
    execFileSync("zsh", ["-f"], {
      input: `zmodload zsh/zpty
zpty shell zsh -f -i
say() { zpty -w shell "$1"; zpty -r shell seen "*$2*"; }
say 'PS1="<READY>"; unset zle_bracketed_paste; stty -echo; autoload -U compinit; compinit -D' 'READY>'
say 'svc() { [[ "$*" == "completions zsh --values "* ]] && print -l first-$4 second-$4; }; echo DEF''INED' 'DEFINED'
say ${JSON.stringify(`${load}; echo LOA''DED`)} 'LOADED'
say 'show() { zle -M "I""S=$BUFFER="; }; zle -N show; bindkey "^X^X" show; echo BO''UND' 'BOUND'
zpty -w -n shell $'${line}\t\x18\x18'
zpty -r shell seen '*IS=*='
print -r -- "$seen"
zpty -d shell
`,
      timeout: 30_000
    })
      .toString()
      .replace(/^[\s\S]*IS=/, "")
      .replace(/=[^=]*$/, "")
      .trim()

  it("are commands, flags, and the values that svc knows", async () => {
    const load = `source ${await written("zsh", "sourced")}`
    assert.strictEqual(typed(load, "svc lead ups"), "svc lead upsert")
    assert.strictEqual(typed(load, "svc mission get fi"), "svc mission get first-missions")
    assert.strictEqual(typed(load, "svc drafts review --mission se"), "svc drafts review --mission second-missions")
    assert.strictEqual(typed(load, "svc explain fi"), "svc explain first-codes")
    assert.strictEqual(typed(load, "svc login --profile fi"), "svc login --profile first-profiles")
  })

  it("come from the file in $fpath as well, the first time and later", async () => {
    await written("zsh", "_svc")
    const load = `fpath=(${folder} $fpath); compinit -u -D`
    assert.strictEqual(typed(load, "svc mission get fi"), "svc mission get first-missions")
    const line = "svc mission get fi\\t\\x15svc agent get fi"
    assert.strictEqual(typed(load, line), "svc agent get first-agents")
  })
})
