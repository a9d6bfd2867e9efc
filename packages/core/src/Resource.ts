/**
 * A read-only document with a URI, such as `svc://status` or `svc://offers/{id}`.
 *
 * A resource is read as a command is run: each one carries an internal read command, so that scopes, tenancy, the compact
 * profile and opaque defects are Dispatch's and exist once. What it shows comes from the same functions as the commands.
 *
 * Source: spec "Resource catalog entry"; G44.
 */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "./Command.ts"
import type { Failure } from "./Failure.ts"
import type { Scope } from "./Policy.ts"

/** The scheme and separator that every resource URI starts with. */
export const scheme = "svc://"

/** A resource as the catalogue lists it, the spec's closed shape. In templates `uri` holds names such as `{id}`. */
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
export interface Resource<C extends Command.AnyCommand> {
  readonly entry: ResourceEntry
  readonly exampleUri: string
  /** Takes the values of the template's names, each a string, and answers the payload without `generated_at`. */
  readonly command: C
}

/** A resource of whatever payload and needs. */
export type AnyResource = Resource<Command.AnyCommand>

/** What a declaration holds. */
export interface Declaration<P extends Schema.Struct.Fields, Out extends Command.AnySchema, R> {
  /** The URI, or a template: each `{name}` stands for one segment and is a field of `params`. */
  readonly uri: string
  /** Unique, lower-case words joined by `-`; the command that reads it is `resource.<name>`. */
  readonly name: string
  readonly title: string
  readonly summary: string
  readonly description: string
  readonly category: Command.Category
  readonly scope: Scope
  readonly relatedCommands: ReadonlyArray<string>
  readonly params: Schema.Struct<P> & Command.AnySchema
  /** Values of the parameters in the sample data. */
  readonly example: Readonly<Record<string, string>>
  readonly payload: Out
  readonly compact?: Command.Command<string, Command.AnySchema, Out, R>["compact"]
  readonly read: (params: Schema.Struct<P>["Type"]) => Effect.Effect<Out["Type"], Failure, R>
}

/** Parameters of a resource without any. */
export const noParams = Schema.Struct({})

/** Parameters of a resource that is read by id. Any text is taken: one that names nothing is simply not found. */
export const idParam = Schema.Struct({ id: Schema.String })

/** Parameters of a resource that is read by handle. */
export const handleParam = Schema.Struct({ handle: Schema.String })

/** The URI of a template with its names replaced by values, each percent-encoded once. */
export const expand = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{([a-z]+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""))

/** Declares a resource. */
export const make = <P extends Schema.Struct.Fields, Out extends Command.AnySchema, R>(
  declaration: Declaration<P, Out, R>
) => {
  const { compact, description, name, relatedCommands, summary, title, uri } = declaration
  return {
    entry: { uri, name, title, description, summary, mimeType: "application/json", related_commands: relatedCommands },
    exampleUri: expand(uri, declaration.example),
    command: Command.make({
      id: `resource.${name}`,
      title,
      summary,
      description,
      whenToUse: `When ${uri} is read.`,
      category: declaration.category,
      risk: "read",
      visibility: "internal",
      scope: declaration.scope,
      input: declaration.params,
      output: declaration.payload,
      relatedCommands,
      relatedResources: [uri],
      examples: [{ title, input: declaration.example }],
      ...(compact === undefined ? {} : { compact }),
      run: declaration.read
    })
  } satisfies AnyResource
}
