import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseAst } from 'vitest/node'
import { type ModuleName, moduleNames } from './modules'

/** One import as it stands in a file: to what, and whether anything of it is left when the program runs. */
export interface Import {
  /** As written: `../flags/decide`, `next/headers`. */
  specifier: string
  /** The file it leads to, from the root of the project; undefined for packages. */
  target: string | undefined
  by: 'value' | 'type'
  /** Whether it is an `import()`. */
  isLazy: boolean
}

export interface SourceFile {
  /** From the root of the project: `src/flags/internal/decide.ts`. */
  path: string
  imports: readonly Import[]
  /** Every name that is used as a property, an attribute or a variable, and `a.b` where a property is taken of one. */
  names: ReadonlySet<string>
  /** The names of objects that are spread into other objects. */
  spreads: ReadonlySet<string>
  /** Whether there is nothing in it but exports of what others made. */
  onlyPassesOn: boolean
  lines: number
  /** 'use client' or 'use server'. */
  directive: string | undefined
}

/** The project's own code as it is, tests included. */
export function sourcesIn(root: string): SourceFile[] {
  const paths = ['src', 'migrations', 'tracker'].flatMap((folder) => codeIn(root, folder))
  return sources(Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')])))
}

/** Code given by path, as examples in tests are. */
export function sources(texts: Readonly<Record<string, string>>): SourceFile[] {
  return Object.entries(texts)
    .filter(([path]) => isCode(path))
    .map(([path, text]) => read(path, text, (target) => target in texts))
}

const isCode = (path: string): boolean => /\.tsx?$/.test(path) && !path.endsWith('.d.ts')

export function codeIn(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? codeIn(root, path) : [path]
  })
}

/** The module a file belongs to. What Next wants at fixed places belongs to `app`, wherever that is. */
export function moduleOf(path: string): ModuleName | undefined {
  const [top, folder = ''] = path.split('/')
  if (top === 'tracker') return top
  if (top === 'migrations') return moduleNames.find((name) => name === `migrations/${folder}`)
  if (folder === 'pages' || /^(?:proxy|instrumentation(?:-client)?)\.ts$/.test(folder)) return 'app'
  return moduleNames.find((name) => name === folder)
}

export const isTest = (path: string): boolean => /\.(?:test|contract|cases)\.tsx?$/.test(path)

function read(path: string, text: string, exists: (path: string) => boolean): SourceFile {
  const program = parseAst(text, { lang: path.endsWith('.tsx') ? 'tsx' : 'ts' }, path)
  const imports: Import[] = []
  const names = new Set<string>()
  const spreads = new Set<string>()
  for (const node of everyNode(program)) {
    const found = importIn(node)
    if (found) imports.push({ ...found, target: targetOf(path, found.specifier, exists) })
    const name = nameIn(node)
    if (name) names.add(name)
    for (const one of spreadsIn(node)) spreads.add(one)
  }
  const statements = program.body.filter((statement) => !('directive' in statement))
  const passesOn = statements.every(({ type }) => /^Export(?:All|Named)Declaration$/.test(type))
  return {
    path,
    imports,
    names,
    spreads,
    onlyPassesOn: passesOn && imports.length > 0 && imports.length === statements.length,
    lines: text.trimEnd().split('\n').length,
    directive: /^(['"])(use \w+)\1/.exec(text)?.[2],
  }
}

/** The common shape of all nodes of a syntax tree, as far as we look. */
export interface SyntaxNode {
  type: string
  [part: string]: unknown
}

export function* everyNode(value: unknown): Generator<SyntaxNode> {
  if (Array.isArray(value)) for (const each of value) yield* everyNode(each)
  if (!isObject(value)) return
  if (isNode(value)) yield value
  for (const part of Object.values(value)) if (typeof part === 'object') yield* everyNode(part)
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isNode = (value: Record<string, unknown>): value is SyntaxNode => typeof value['type'] === 'string'

const importing: ReadonlySet<string> = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
  'TSExternalModuleReference',
])

function importIn(node: SyntaxNode): Omit<Import, 'target'> | undefined {
  if (!importing.has(node.type)) return undefined
  const source = node['source'] ?? node['expression']
  const specifier = isObject(source) ? source['value'] : undefined
  return typeof specifier === 'string'
    ? { specifier, by: isOnlyType(node) ? 'type' : 'value', isLazy: node.type === 'ImportExpression' }
    : undefined
}

/** `import type`, `export type`, `import('…').Name` in a type, or every single name marked as a type. */
function isOnlyType(node: SyntaxNode): boolean {
  if (node.type === 'TSImportType') return true
  if (node['importKind'] === 'type' || node['exportKind'] === 'type') return true
  const names = Array.isArray(node['specifiers']) ? node['specifiers'] : []
  return (
    names.length > 0 &&
    names.every((name) => isObject(name) && (name['importKind'] ?? name['exportKind']) === 'type')
  )
}

function nameIn(node: SyntaxNode): string | undefined {
  const { object, property } = node
  if (node.type === 'MemberExpression' && isObject(object) && isObject(property)) {
    return `${String(object['name'])}.${String(property['name'])}`
  }
  if (/^(?:JSX)?Identifier$/.test(node.type)) return String(node['name'])
  return node.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : undefined
}

function spreadsIn({ type, properties }: SyntaxNode): string[] {
  if (type !== 'ObjectExpression' || !Array.isArray(properties)) return []
  return properties.flatMap(({ argument }: SyntaxNode) =>
    isObject(argument) && isNode(argument) ? (nameIn(argument) ?? []) : [],
  )
}

/** Imports are written without their ending; the file that is there says which one was meant. */
export function targetOf(
  from: string,
  specifier: string,
  exists: (path: string) => boolean,
): string | undefined {
  const path = pathOf(from, specifier)
  if (path === undefined) return undefined
  const endings = ['', '.ts', '.tsx', '/index.ts', '/index.tsx']
  return endings.map((ending) => path + ending).find(exists) ?? path
}

/** The folders that package.json's `imports` name, the longest prefix first. */
const importedFolders = { '#test/': 'test', '#bench/': 'bench', '#migrations/': 'migrations', '#': 'src' }

function pathOf(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier)
  for (const [prefix, folder] of Object.entries(importedFolders)) {
    if (specifier.startsWith(prefix)) return posix.join(folder, specifier.slice(prefix.length))
  }
  return undefined
}
