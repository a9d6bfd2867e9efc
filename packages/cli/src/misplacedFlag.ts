/** A flag that was given before the subcommand that it belongs to. */
import { didYouMean } from "@svc/core"
import type { HelpDoc } from "effect/cli/HelpDoc"
import * as Effect from "effect/Effect"
import { helpDocOf, type Subcommand, type Tree } from "./tree.ts"

/** Flags that every command has. */
const always = ["--help", "--version"]

const hasFlag = ({ flags }: HelpDoc, flag: string): boolean =>
  flags.some(({ aliases, name, type }) =>
    [`--${name}`, ...aliases, type === "boolean" && `--no-${name}`].includes(flag)
  )

const childrenOf = ({ subcommands }: Pick<Subcommand, "subcommands">): ReadonlyArray<Subcommand> =>
  subcommands.flatMap(({ commands }) => commands)

/** The command that the words lead to; words that are no subcommand, such as values of flags, are skipped. */
const follow = (tree: Tree, args: ReadonlyArray<string>) => {
  const words: Array<string> = []
  let children = childrenOf(tree)
  for (const arg of args) {
    const next = children.find(({ alias, name }) => name === arg || alias === arg)
    if (next === undefined) continue
    words.push(next.name)
    children = childrenOf(next)
  }
  return { words, children }
}

/** Says of an unknown flag of a group which subcommand has it, and where it goes. */
export const misplacedFlag = Effect.fnUntraced(function* (flag: string, tree: Tree, args: ReadonlyArray<string>) {
  const { children, words } = follow(tree, args)
  const command = ["svc", ...words].join(" ")
  if (children.length === 0) {
    const doc = yield* helpDocOf(tree, words)
    const known = [...doc.flags.map(({ name }) => `--${name}`), ...always]
    return hasFlag(doc, flag)
      ? `${flag} goes after the subcommand: ${command} ${flag}.`
      : `Unknown flag ${flag}.${didYouMean(flag, known)}`
  }
  if (/^--(no-)?json$/.test(flag)) return "A subcommand is required."
  const leaves = words.length === 0 ? [] : children.filter((child) => childrenOf(child).length === 0)
  for (const { name } of leaves) {
    if (hasFlag(yield* helpDocOf(tree, [...words, name]), flag)) {
      return `A subcommand is required before ${flag}, such as ${command} ${name} ${flag}.`
    }
  }
  return `Unknown flag ${flag}.${didYouMean(flag, always)}`
})
