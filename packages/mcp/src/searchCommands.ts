/** Finding commands that a client's list of tools does not show. Source: issue "commands_search/command_run for the rest". */
import { describeWithSchemas } from "@svc/core/Catalog"
import type { AnyCommand } from "@svc/core/Command"
import type { Params } from "./JsonRpc.ts"
import { commandIdOf } from "./toolName.ts"

/** How many commands are found at most, and how many of the first are shown with their input. */
const most = 8
const withInput = 3

const wordsOf = (text: string): ReadonlyArray<string> => [...new Set(text.toLowerCase().match(/[a-z0-9]+/g) ?? [])]

/** How well a command fits the words: those of its id count most. */
const fit = (
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

/** The commands that fit a query, best first; all ids for an empty one. An id, or a tool's name, finds its command. */
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
          .map((command) => ({ command, score: fit(words, command) }))
          .filter(({ score }) => score > 0)
          .sort((left, right) => right.score - left.score)
          .slice(0, most)
          .map(({ command }) => command)
  return {
    commands: found.map((command, index) => {
      const { input_schema } = describeWithSchemas(command)
      const { id, riskNotes, risk, scope, summary, whenToUse } = command
      const known = { command_id: id, risk, scope, summary, when_to_use: whenToUse, risk_notes: riskNotes }
      return index < withInput ? { ...known, input_schema } : known
    })
  }
}
