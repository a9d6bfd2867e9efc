/** Services for the parser of the command line. Files and processes are not used through it, and would take long to load. */
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { ChildProcessSpawner, make as makeSpawner } from "effect/process/ChildProcessSpawner"

/** The layer. */
export const parserServices = Layer.mergeAll(
  NodePath.layer,
  NodeStdio.layer,
  NodeTerminal.layer,
  FileSystem.layerNoop({}),
  Layer.succeed(
    ChildProcessSpawner,
    makeSpawner(() => Effect.die("no command starts a program"))
  )
)
