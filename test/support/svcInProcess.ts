/**
 * The command line as it is shipped, run in this process: a quarter of what a process of its own costs, for tests of what is
 * asked and printed. What is about processes (signals, pipes, folders, exits) belongs to `svcProcess.ts`.
 */
import { EventEmitter } from "node:events"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Readable, Writable } from "node:stream"
import { Script } from "node:vm"
import { svcBundle } from "./svcBundle.ts"
import { environment, type Ran, type RunOptions } from "./svcProcess.ts"

type Program = { readonly run: (args: ReadonlyArray<string>) => Promise<number> }

let compiled: { readonly file: string; readonly script: Script } | undefined

/** The program as a function of all that it may know of its process. Evaluating it is cheap; compiling it is not. */
const program = async (): Promise<{ readonly file: string; readonly script: Script }> => {
  const file = join(dirname(await svcBundle()), "program.cjs")
  compiled ??= {
    file,
    script: new Script(
      `(function (exports, require, module, __filename, process, globalThis) {${readFileSync(file, "latin1")}\n})`,
      { filename: file }
    )
  }
  return compiled
}

/** A process object that shows these arguments, variables and streams, and keeps listeners and exits to itself. */
const processOf = (main: string, args: ReadonlyArray<string>, { env, input = "" }: RunOptions) => {
  const written = { stdout: "", stderr: "" }
  const sink = (name: keyof typeof written) =>
    new Writable({
      decodeStrings: false,
      write: (chunk: string | Uint8Array, _, done) => {
        written[name] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8")
        done()
      }
    })
  const own = {
    env: environment(env),
    argv: [process.execPath, main, ...args],
    stdin: Readable.from([Buffer.from(input)]),
    stdout: sink("stdout"),
    stderr: sink("stderr"),
    exit: (code: number) => {
      throw new Error(`the program would have ended with ${code}`)
    }
  }
  const events = new EventEmitter()
  const isHere = (name: PropertyKey): name is keyof typeof own => Object.hasOwn(own, name)
  const isOfEvents = (name: PropertyKey): boolean => name in EventEmitter.prototype
  const fake: NodeJS.Process = new Proxy(process, {
    get: (real, name) => {
      if (isHere(name)) return own[name]
      const value: unknown = Reflect.get(isOfEvents(name) ? events : real, name)
      return typeof value === "function" && isOfEvents(name) ? value.bind(events) : value
    }
  })
  return { fake, written }
}

let last: Promise<unknown> = Promise.resolve()

const ran = async (args: ReadonlyArray<string>, options: RunOptions): Promise<Ran> => {
  const { file, script } = await program()
  const { fake, written } = processOf(join(dirname(file), "main.cjs"), args, options)
  const require = createRequire(file)
  const loaded: { exports: Program } = Object({ exports: {} })
  const globals = new Proxy(globalThis, {
    get: (real, name) => (name === "process" ? fake : Reflect.get(real, name))
  })
  const folder = process.cwd()
  process.chdir(options.cwd ?? tmpdir())
  try {
    script.runInThisContext()(loaded.exports, require, loaded, file, fake, globals)
    const code = await loaded.exports.run(args)
    return { code, ...written }
  } finally {
    process.chdir(folder)
  }
}

/** Runs `svc` with arguments to its end, one run after the other. */
export const svcInProcess = (args: ReadonlyArray<string>, options: RunOptions = {}): Promise<Ran> => {
  const next = last.then(() => ran(args, options))
  last = next.catch(() => undefined)
  return next
}
