import type { Category, Scope } from "@svc/core"
import type { CommandContext } from "./defineCommand.ts"

/** The names in a URI template: `id` in `svc://crm/contacts/{id}`. */
type NamesIn<Uri extends string> = Uri extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** A resource of a host: a read-only document with a URI. */
export interface ResourceDefinition<Uri extends string> {
  /** `svc://…`; each `{name}` stands for one segment, which `read` gets as a string. */
  readonly uri: Uri
  /** Unique: lower-case words joined by `-`. */
  readonly name: string
  /** One line. */
  readonly summary: string
  /** Default the summary. */
  readonly title?: string
  /** Default the summary. */
  readonly description?: string
  /** Default `custom`. */
  readonly category?: Category
  /** The scope that keys need to read it. */
  readonly scope: Scope
  readonly relatedCommands?: ReadonlyArray<string>
  /** Returns a JSON object; `throw fail("NOT_FOUND", …)` for an object that does not exist. */
  readonly read: (params: Readonly<Record<NamesIn<Uri>, string>>, context: CommandContext) => object | Promise<object>
}

/** Any definition of a resource. */
// biome-ignore lint/suspicious/noExplicitAny: a list of resources with different names has no other common type
export type AnyResourceDefinition = ResourceDefinition<any>

/** Declares a resource of a host, for `createSvc({ resources })` or `svc.config.js`. */
export const defineResource = <const Uri extends string>(
  definition: ResourceDefinition<Uri>
): ResourceDefinition<Uri> => definition
