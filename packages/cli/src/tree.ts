/** The command `svc`, and the type of its subcommands. */

import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import { type Failure, version } from "@svc/core"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import type { HelpDoc } from "effect/cli/HelpDoc"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { ChildProcessSpawner, make as makeSpawner } from "effect/process/ChildProcessSpawner"
import type * as Terminal from "effect/Terminal"
import type { CliExit } from "./Output.ts"

/** What the parser needs. Files and processes are not used through it, and would take long to load. */
export const parserServices = Layer.mergeAll(
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version] }),
  NodePath.layer,
  NodeStdio.layer,
  NodeTerminal.layer,
  FileSystem.layerNoop({}),
  Layer.succeed(
    ChildProcessSpawner,
    makeSpawner(() => Effect.die("no command starts a program"))
  )
)

/** A command with any name and flags. Its failures are printed where it is run. */
export type Subcommand = Command.Command<
  // biome-ignore lint/suspicious/noExplicitAny: the name is invariant, so commands of several names have no other common type
  any,
  never,
  object,
  CliExit | Failure | Terminal.QuitError,
  Command.Environment
>

/** Subcommands under one heading of the help. */
export type SubcommandGroup = Command.Command.SubcommandGroup<ReadonlyArray<Subcommand>>

/** `svc` with these subcommands. */
export const svcTree = (groups: ReadonlyArray<SubcommandGroup>) =>
  Command.make("svc").pipe(
    Command.withDescription(
      "Outreach workspace: offers, leads, missions and LinkedIn drafts, reviewed and sent safely"
    ),
    Command.withSubcommands(groups)
  )

/** The command `svc` with its subcommands. */
export type Tree = ReturnType<typeof svcTree>

/** The help of the command that words lead to. */
export const helpDocOf = (tree: Tree, words: ReadonlyArray<string>): Effect.Effect<HelpDoc> =>
  Effect.gen(function* () {
    let found: HelpDoc | undefined
    const present: CliOutput.Presenter["present"] = (event) =>
      Effect.sync(() => {
        if (event._tag === "Help") found = event.helpDoc
      })
    yield* Effect.ignore(Command.runWith(tree, { version })([...words, "--help"])).pipe(
      Effect.provide(Layer.merge(parserServices, CliOutput.layerPresenter({ present })))
    )
    return found ?? (yield* Effect.die(new Error(`svc ${words.join(" ")} has no help`)))
  })
