/** Search for commands that are not among a client's tools. */
import { type AnyCommand, codesOf, describeWithSchemas } from "@svc/core"
import type { Params } from "./JsonRpc.ts"
import { commandIdOf } from "./toolName.ts"

/** Maximum results, and how many of them include their input schema. */
const maxResults = 8
const withInput = 3

const wordsOf = (text: string): ReadonlyArray<string> => [...new Set(text.toLowerCase().match(/[a-z0-9]+/g) ?? [])]

/** How well a command matches the words. Words of its id count most. */
const scoreOf = (
  words: ReadonlyArray<string>,
  { category, description, id, summary, title, whenToUse }: AnyCommand
): number => {
  const ids = wordsOf(`${id} ${category}`)
  const short = `${title} ${summary}`.toLowerCase()
  const long = `${description} ${whenToUse}`.toLowerCase()
  return words.reduce((sum, word) => {
    const stem = word.length > 3 ? word.replace(/s$/, "") : word
    if (ids.some((part) => part === word || part.startsWith(stem))) return sum + 4
    return sum + (short.includes(stem) ? 2 : long.includes(stem) ? 1 : 0)
  }, 0)
}

/** The best matches of a query; all commands for an empty one. An id or a tool name finds its command. */
export const searchCommands = (commands: ReadonlyArray<AnyCommand>, query: string): Params => {
  const wanted = query.trim().slice(0, 200)
  if (wanted === "") {
    return { commands: commands.map(({ id, risk, summary }) => ({ command_id: id, risk, summary })) }
  }
  const exact = commands.filter(({ id }) => id === commandIdOf(wanted))
  const words = wordsOf(wanted)
  const found =
    exact.length > 0
      ? exact
      : commands
          .map((command) => ({ command, score: scoreOf(words, command) }))
          .filter(({ score }) => score > 0)
          .sort((left, right) => right.score - left.score)
          .slice(0, maxResults)
          .map(({ command }) => command)
  return {
    commands: found.map((command, index) => {
      const { input_schema } = describeWithSchemas(command)
      const { failures, id, riskNotes, risk, scope, summary, whenToUse } = command
      const known = { command_id: id, risk, scope, summary, when_to_use: whenToUse, risk_notes: riskNotes }
      return index < withInput ? { ...known, failures: codesOf(failures), input_schema } : known
    })
  }
}
