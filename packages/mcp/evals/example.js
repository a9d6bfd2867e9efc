/**
 * An example of a program for `--model-command`. In the place of a model it knows the gold actions: it reads a task, calls
 * tools one after another, and says that it is done. A program with a model gives it `goal`, `instructions` and `tools`, and
 * forwards its tool calls until it makes none.
 */
import { readdirSync, readFileSync } from "node:fs"
import { createInterface } from "node:readline"

const folder = new URL("tasks/", import.meta.url)
const files = readdirSync(folder).filter((name) => name.endsWith(".json") && name !== "seeds.json")
const tasks = files.flatMap((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")))

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const receive = async () => {
  const { done, value } = await lines.next()
  return done === true ? undefined : JSON.parse(value)
}
const send = (message) => console.log(JSON.stringify(message))

/** Calls a tool and returns its data; undefined if it is refused. */
const call = async (tool, args) => {
  send({ type: "call", id: tool, tool, arguments: args })
  const { content, is_error } = await receive()
  return is_error ? undefined : JSON.parse(content.split("\n")[0])
}

/** The arguments with placeholders such as `${grace.lead_id}` replaced by what was read. */
const filled = (args, saved) =>
  JSON.parse(
    JSON.stringify(args).replaceAll(/\$\{([^}]+)\}/g, (_, path) =>
      path.split(".").reduce((value, name) => value?.[name], saved)
    )
  )

for (let task = await receive(); task !== undefined; task = await receive()) {
  const { gold } = tasks.find(({ id }) => id === task.id)
  const saved = {}
  for (const name of ["grace", "alan", "noor"]) saved[name] = await call("lead_get", { email: `${name}@example.com` })
  const open = await call("linkedin_draft_list", { lead_id: saved.grace?.lead_id })
  saved.drafted = { draft: open?.drafts[0] }
  for (const { arguments: args, save, tool } of gold) {
    const data = await call(tool, filled(args, saved))
    if (save !== undefined) saved[save] = data
  }
  send({ type: "done", answer: "Done." })
}
