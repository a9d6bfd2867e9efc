/**
 * A read-only document with a URI, such as `svc://status` or `svc://offers/{id}`.
 *
 * Every resource has an internal read command that Dispatch runs, so scopes, tenancy, the compact profile and the handling
 * of defects are those of commands. Its payload comes from the same functions as the output of commands.
 */

import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../command/Command.ts"
import type { Scope } from "../command/Permission.ts"
import type { Failure, FailureClass } from "../failure/Failure.ts"
import type { CommonFailure } from "../failure/failures.ts"

/** The scheme and separator that every resource URI starts with. */
export const scheme = "svc://"

/** A resource as it is listed. The `uri` of a template contains names such as `{id}`. */
export interface ResourceEntry {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly summary: string
  readonly mimeType: "application/json"
  readonly related_commands: ReadonlyArray<string>
}

/** A resource: its catalogue entry, a URI that works on the sample data, and the command that reads it. */
interface Resource<C extends Command.AnyCommand> {
  readonly entry: ResourceEntry
  /** The segments of its URI, with names in braces. */
  readonly template: ReadonlyArray<string>
  readonly exampleUri: string
  /** Takes the values of the template's names, all strings, and returns the payload without `generated_at`. */
  readonly command: C
}

/** Any resource. */
export type AnyResource = Resource<Command.AnyCommand>

/** Parameters by name: any text, so that one that is no id is not found. */
type Params = Readonly<Record<string, string>>

/** The URI, texts and parameters of a resource. */
interface Texts<P extends Params> {
  /** The URI, or a template: each `{name}` stands for one segment and is a parameter. */
  readonly uri: string
  /** Unique, lower-case words joined by `-`; the command that reads it is `resource.<name>`. */
  readonly name: string
  readonly title: string
  readonly summary: string
  readonly description: string
  readonly relatedCommands: ReadonlyArray<string>
  /** Values of the parameters in the sample data; by default it has none. */
  readonly example?: P
}

/** The declaration of a resource. */
export interface Declaration<P extends Params, Out extends Command.AnySchema, R, E extends Failure> extends Texts<P> {
  readonly category: Command.Category
  readonly scope: Scope
  readonly payload: Out
  /** Default none. */
  readonly failures?: ReadonlyArray<FailureClass<E>>
  readonly compact?: Command.Command<string, Command.AnySchema, Out, R>["compact"]
  readonly read: (
    params: { readonly [Name in keyof P]: string }
  ) => Effect.Effect<Out["Type"], NoInfer<E> | CommonFailure, R>
}

/** Replaces the names of a URI template by values, each percent-encoded once. */
export const expand = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{([a-z]+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""))

/** Declares a resource. */
export const make = <P extends Params, Out extends Command.AnySchema, R, E extends Failure = never>({
  example,
  name,
  payload,
  read,
  uri,
  ...declaration
}: Declaration<P, Out, R, E>) => {
  const { description, relatedCommands, summary, title } = declaration
  const values: Params = example ?? {}
  return {
    template: uri.slice(scheme.length).split("/"),
    entry: { uri, name, title, description, summary, mimeType: "application/json", related_commands: relatedCommands },
    exampleUri: expand(uri, values),
    command: Command.complete({
      failures: [],
      ...declaration,
      id: `resource.${name}`,
      whenToUse: `To read ${uri}.`,
      risk: "read",
      visibility: "internal",
      input: Schema.Struct(Object.fromEntries(Object.keys(values).map((key) => [key, Schema.String]))),
      output: payload,
      relatedResources: [uri],
      examples: [{ title, input: values }],
      // The schema has the names of the example.
      run: (params) => read(params as { readonly [Name in keyof P]: string })
    })
  } satisfies AnyResource
}

/** Declares a resource that returns the output of a command; `input` makes its input from the parameters. */
export const ofCommand = <
  P extends Params,
  In extends Command.AnySchema,
  Out extends Command.AnySchema,
  R,
  E extends Failure
>(
  { category, compact, failures, output, run, scope }: Command.Command<string, In, Out, R, E>,
  { input, ...texts }: Texts<P> & { readonly input: (params: { readonly [Name in keyof P]: string }) => In["Type"] }
) => make({ ...texts, category, scope, failures, payload: output, compact, read: (params) => run(input(params)) })
