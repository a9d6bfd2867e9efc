/**
 * The command line as it is shipped, run in this process: a quarter of what a process of its own costs, for tests of what is
 * asked and printed. What is about processes (signals, pipes, folders, exits) belongs to `svcProcess.ts`.
 */
import { EventEmitter } from "node:events"
import { readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname } from "node:path"
import { Readable, Writable } from "node:stream"
import { Script } from "node:vm"
import { type Part, programIn } from "#cli/loadProgram.ts"
import { svcBundle } from "./svcBundle.ts"
import { environment, type Ran, type RunOptions } from "./svcProcess.ts"

const parts = new Map<string, Script>()

/** How the text of a part begins its function. */
const beginning = "(function($take,require,bundleUrl){"

/** A part as a function of all that it may know of its process. Evaluating it is cheap; compiling it is not. */
const partOf = (file: string, fake: NodeJS.Process, globals: typeof globalThis): Part => {
  let script = parts.get(file)
  if (script === undefined) {
    const text = readFileSync(file, "latin1")
    if (!text.includes(beginning)) throw new Error(`${file} begins in another way. Change svcInProcess.ts.`)
    script = new Script(text.replace(beginning, `${beginning.slice(0, -2)},process,globalThis){`), { filename: file })
    parts.set(file, script)
  }
  const part = script.runInThisContext()
  return (take, require, bundleUrl) => part(take, require, bundleUrl, fake, globals)
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
  const main = await svcBundle()
  const { fake, written } = processOf(main, args, options)
  const globals = new Proxy(globalThis, {
    get: (real, name) => (name === "process" ? fake : Reflect.get(real, name))
  })
  const folder = process.cwd()
  process.chdir(options.cwd ?? tmpdir())
  try {
    const code = await programIn(dirname(main), (file) => partOf(file, fake, globals)).run(args)
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
