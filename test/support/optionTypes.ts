/** The objects that the public functions of packages take, read from their types. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { API, type Checker, SignatureKind, type Symbol, type Type, TypeFlags } from "typescript/unstable/sync"
import { root } from "./sources.ts"

/** An object that a function takes. */
export interface OptionsType {
  /** How it is reached, such as `createSvc(options).http` or `svc.fetch(options)`; `[]` is an item of a list, `()` a result. */
  readonly path: string
  /** Its properties, each with a value that its type does not have. */
  readonly wrong: ReadonlyMap<string, unknown>
}

/** What is walked. */
export interface Walk {
  /** Sources of packages, such as `embed/src/index.ts`, and the functions and interfaces of each to begin at: their paths, and those of results. */
  readonly from: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Paths that are left out. */
  readonly without: (path: string) => boolean
  /** Names of types that are not ours, though they are declared here. */
  readonly foreign: ReadonlyArray<string>
}

const isOurs = (symbol: Symbol): boolean =>
  symbol.declarations.some(
    ({ path }) => path.startsWith(`${root.toLowerCase()}packages/`) || path.includes("/packages/")
  )

/** The objects of the public functions. */
export const optionTypes = async ({ foreign, from, without }: Walk): Promise<ReadonlyArray<OptionsType>> => {
  const folder = await mkdtemp(join(tmpdir(), "svc-options-"))
  const files = Object.keys(from).map((file) => join(root, "packages", file))
  const config = join(folder, "tsconfig.json")
  await writeFile(config, JSON.stringify({ extends: join(root, "test/tsconfig.json"), files, include: [] }))
  const api = new API()
  try {
    const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects()
    if (project === undefined) throw new Error("no project")
    const found = new Map<string, OptionsType>()
    const walk = walker(project.checker, { foreign, without, found })
    for (const [file, starts] of Object.entries(from)) {
      const source = project.program.getSourceFile(join(root, "packages", file))
      const exported = source && project.checker.getSymbolAtLocation(source)
      if (exported === undefined) throw new Error(`${file} is no module`)
      for (const symbol of project.checker.getExportsOfModule(exported)) {
        const [path, result] = starts[symbol.name]?.split(" ") ?? []
        const start = project.checker.getAliasedSymbol(symbol)
        if (path !== undefined) walk.api(typeOf(project.checker, start), path, result)
      }
    }
    return [...found.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1))
  } finally {
    api.close()
    await rm(folder, { recursive: true })
  }
}

const typeOf = (checker: Checker, symbol: Symbol): Type =>
  symbol.valueDeclaration === undefined
    ? checker.getDeclaredTypeOfSymbol(symbol)
    : (checker.getTypeOfSymbol(symbol) as Type)

const walker = (
  checker: Checker,
  { foreign, found, without }: Pick<Walk, "foreign" | "without"> & { readonly found: Map<string, OptionsType> }
) => {
  const membersOf = (type: Type): ReadonlyArray<Type> => {
    if (type.flags & TypeFlags.TypeParameter) {
      const bound = checker.getBaseConstraintOfType(type)
      return bound === undefined || bound.flags & TypeFlags.TypeParameter ? [] : membersOf(bound)
    }
    return type.flags & TypeFlags.Union ? (type as Type & { getTypes(): ReadonlyArray<Type> }).getTypes() : [type]
  }
  const elementOf = (type: Type): Type | undefined =>
    checker.isArrayLikeType(type) ? checker.getTypeArguments(type as never)[0] : undefined
  const callsOf = (type: Type) => checker.getSignaturesOfType(type, SignatureKind.Call)
  const nameOf = (type: Type): string =>
    (type as { aliasSymbol?: Symbol }).aliasSymbol?.name ?? type.getSymbol()?.name ?? ""

  /** A value that a type does not have. */
  const wrongFor = (type: Type): unknown => {
    const members = membersOf(type)
    const has = (flag: TypeFlags) => members.some(({ flags }) => flags & flag)
    if (!has(TypeFlags.NumberLike)) return 7
    return has(TypeFlags.StringLike) ? {} : "wrong"
  }

  /** What a host gives at a path. */
  const given = (type: Type, path: string): void => {
    if (without(path)) return
    // A branded text is an intersection too.
    const objects = membersOf(type).filter(
      (member) =>
        member.flags & (TypeFlags.Object | TypeFlags.Intersection) &&
        !checker.isTypeAssignableTo(member, checker.getStringType())
    )
    for (const member of objects) {
      const element = elementOf(member)
      const calls = callsOf(member)
      if (element !== undefined) given(element, `${path}[]`)
      else if (calls.length > 0)
        for (const call of calls) given(resultOf(checker.getReturnTypeOfSignature(call)), `${path}()`)
      else options(member, path)
    }
  }

  const resultOf = (type: Type | undefined): Type => {
    if (type === undefined) throw new Error("no result")
    const promised = membersOf(type).find((member) => member.getSymbol()?.name === "Promise")
    return promised === undefined ? type : (checker.getTypeArguments(promised as never)[0] ?? type)
  }

  const options = (type: Type, path: string): void => {
    const properties = checker.getPropertiesOfType(type)
    if (properties.length === 0 || !properties.some(isOurs) || foreign.includes(nameOf(type))) return
    const names = properties.map(({ name }) => name)
    const known = found.get(path)
    // Alternatives have paths of their own.
    const own = known === undefined || names.every((name) => known.wrong.has(name)) ? path : `${path}|${names[0]}`
    if (found.has(own) || without(own)) return
    const wrong = new Map(
      properties.map((property) => [property.name, wrongFor(checker.getTypeOfSymbol(property) as Type)])
    )
    found.set(own, { path: own, wrong })
    for (const property of properties) given(checker.getTypeOfSymbol(property) as Type, `${own}.${property.name}`)
  }

  const seen = new Set<string>()

  /** What a host gets at a path: its functions take something. */
  const api = (type: Type, path: string, result?: string): void => {
    if (without(path) || seen.has(path)) return
    seen.add(path)
    for (const call of callsOf(type)) {
      if (result !== undefined) api(resultOf(checker.getReturnTypeOfSignature(call)), result)
      for (const [index, parameter] of call.getParameters().entries()) {
        const taken = checker.getParameterType(call, index)
        if (taken !== undefined) given(taken, `${path}(${parameter.name})`)
      }
    }
    if (callsOf(type).length > 0) return
    for (const property of checker.getPropertiesOfType(type))
      if (isOurs(property)) api(checker.getTypeOfSymbol(property) as Type, `${path}.${property.name}`)
  }
  return { api }
}
