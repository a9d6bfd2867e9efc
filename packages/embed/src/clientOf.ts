/** Commands and resources as methods, whoever runs them. */
import { type CallOptions, commandTree, type ResourcesApi, SvcError } from "@svc/client"
import {
  type AnyCommand,
  type Catalog,
  type CommandResult,
  commonFailures,
  describe,
  describeWithSchemas,
  publicCommands,
  type ReadResource,
  type ResourceEntry,
  unknownCommand
} from "@svc/core"
import { svcErrorOf } from "./hostFailure.ts"

/** What runs commands and reads resources. `O` are the options of a call. */
interface Runner<O> {
  readonly catalog: Catalog<AnyCommand>
  readonly entries: ReadonlyArray<ResourceEntry>
  readonly run: (id: string, input: unknown, options?: O) => Promise<Pick<CommandResult, "envelope">>
  readonly read: (uri: string, options?: Parameters<ResourcesApi<O>["read"]>[1]) => Promise<CommandResult<ReadResource>>
}

/** The methods of a service, and the runs and reads behind them. */
export const clientOf = <O extends object = CallOptions>({ catalog, entries, read, run }: Runner<O>) => {
  const listed = publicCommands(catalog)
  const output = async (id: string, input: unknown, options?: O): Promise<unknown> => {
    const { envelope } = await run(id, input, options)
    if (envelope.ok) return envelope.data
    throw new SvcError(envelope)
  }
  return {
    output,
    methods: commandTree(
      listed.map(({ id }) => id),
      output
    ),
    commands: {
      run: async (id: string, input: unknown, options?: O) => (await run(id, input, options)).envelope,
      failed: (id: string, error: unknown) => {
        const declared = [...commonFailures, ...(listed.find((command) => command.id === id)?.failures ?? [])]
        return error instanceof SvcError && declared.some(({ code }) => code === error.code)
      },
      list: async () => listed.map(describe),
      schema: async (id: string) => {
        const command = listed.find((candidate) => candidate.id === id)
        if (command === undefined) throw svcErrorOf(unknownCommand(catalog, id))
        return describeWithSchemas(command)
      }
    },
    resources: {
      list: async () => entries,
      read: async (uri: string, options?: Parameters<ResourcesApi<O>["read"]>[1]) => {
        const { envelope } = await read(uri, options)
        if (!envelope.ok) throw new SvcError(envelope)
        return envelope.data.resource
      }
    }
  }
}
