/**
 * The command line in this process: a quarter of what a process of its own costs, for tests of what is asked and printed.
 * What is about processes (signals, pipes, folders, exits) belongs to `svcProcess.ts`.
 */
import { EventEmitter } from "node:events"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable, Writable } from "node:stream"
import { run } from "#cli/run.ts"
import { environment, type Ran, type RunOptions } from "./svcProcess.ts"

/** As the build left it; what is asked in this process runs from the sources. */
const executable = join(import.meta.dirname, "../../packages/cli/bin/svc.js")

/** A process object that shows these arguments, variables and streams, and keeps listeners and exits to itself. */
const processOf = (args: ReadonlyArray<string>, { env, input = "" }: RunOptions) => {
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
    argv: [process.execPath, executable, ...args],
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
  const { fake, written } = processOf(args, options)
  const real = process
  const folder = real.cwd()
  real.chdir(options.cwd ?? tmpdir())
  globalThis.process = fake
  try {
    return { code: await run(args), ...written }
  } finally {
    globalThis.process = real
    real.chdir(folder)
  }
}

/** Runs `svc` with arguments to its end, one run after the other. */
export const svcInProcess = (args: ReadonlyArray<string>, options: RunOptions = {}): Promise<Ran> => {
  const next = last.then(() => ran(args, options))
  last = next.catch(() => undefined)
  return next
}
