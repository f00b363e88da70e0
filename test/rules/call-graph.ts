import { parseAst } from 'vitest/node'
import { everyNode, isObject, type SyntaxNode, targetOf } from './source-files'

interface ParsedFile {
  /** The meaning of each local name: a function of this file, or in `imported` one of another file. */
  bodies: Map<string, SyntaxNode>
  imported: Map<string, string>
  exported: Map<string, string>
  isServerActions: boolean
}

/** The calls between the functions of a program, by their names: `path#name`. */
export class CallGraph {
  private readonly files: ReadonlyMap<string, ParsedFile>

  constructor(texts: Readonly<Record<string, string>>) {
    const exists = (path: string): boolean => path in texts
    this.files = new Map(Object.entries(texts).map(([path, text]) => [path, parsed(path, text, exists)]))
  }

  get paths(): string[] {
    return [...this.files.keys()]
  }

  isServerActions(path: string): boolean {
    return this.files.get(path)?.isServerActions ?? false
  }

  exportsOf(path: string): string[] {
    return [...(this.files.get(path)?.exported.keys() ?? [])].map((name) => `${path}#${name}`)
  }

  /** Whether a function calls another one, itself or through those it calls. */
  reaches(from: string, wanted: string, seen = new Set<string>()): boolean {
    if (from === wanted) return true
    if (seen.has(from)) return false
    seen.add(from)
    const [path = '', name = ''] = from.split('#')
    const file = this.files.get(path)
    if (!file) return false
    const local = file.exported.get(name) ?? name
    const target = file.imported.get(local)
    if (target) return this.reaches(target, wanted, seen)
    const body = file.bodies.get(local)
    const called = body ? [...everyNode(body)].flatMap((node) => calledIn(node) ?? []) : []
    return called.some((one) => this.reaches(file.imported.get(one) ?? `${path}#${one}`, wanted, seen))
  }
}

/** `name()`, and `<Name>`, which React calls. */
function calledIn({ type, callee, name }: SyntaxNode): string | undefined {
  const called = type === 'CallExpression' ? callee : type === 'JSXOpeningElement' ? name : undefined
  return isObject(called) && typeof called['name'] === 'string' ? called['name'] : undefined
}

function parsed(path: string, text: string, exists: (path: string) => boolean): ParsedFile {
  const program = parseAst(text, { lang: path.endsWith('.tsx') ? 'tsx' : 'ts' }, path)
  const file: ParsedFile = {
    bodies: new Map(),
    imported: new Map(),
    exported: new Map(),
    isServerActions: /^\s*(['"])use server\1/.test(text),
  }
  for (const statement of program.body as unknown as SyntaxNode[])
    readStatement(statement, file, path, exists)
  return file
}

function readStatement(
  statement: SyntaxNode,
  file: ParsedFile,
  path: string,
  exists: (path: string) => boolean,
): void {
  const { source, declaration } = statement
  const specifiers = (Array.isArray(statement['specifiers']) ? statement['specifiers'] : []) as SyntaxNode[]
  const target = isObject(source) ? targetOf(path, String(source['value']), exists) : undefined
  for (const { type, local, imported, exported } of specifiers) {
    const here = nameOf(local)
    if (statement.type === 'ImportDeclaration') {
      const there = type === 'ImportDefaultSpecifier' ? 'default' : nameOf(imported)
      if (target) file.imported.set(here, `${target}#${there}`)
    } else {
      if (target) file.imported.set(here, `${target}#${here}`)
      file.exported.set(nameOf(exported), here)
    }
  }
  const declared = isObject(declaration) ? (declaration as SyntaxNode) : statement
  const names = readDeclaration(declared, file)
  if (statement.type === 'ExportNamedDeclaration') for (const name of names) file.exported.set(name, name)
  if (statement.type === 'ExportDefaultDeclaration') {
    file.exported.set('default', names[0] ?? 'default')
    if (names.length === 0) file.bodies.set('default', declared)
  }
}

/** Keeps the functions and constants that are declared, and answers their names. */
function readDeclaration(node: SyntaxNode, { bodies }: ParsedFile): string[] {
  const declarations = node.type === 'VariableDeclaration' ? (node['declarations'] as SyntaxNode[]) : [node]
  return declarations.flatMap((one) => {
    const name = nameOf(one['id'])
    if (!name || !/^(?:Function|Class)Declaration$|^VariableDeclarator$/.test(one.type)) return []
    bodies.set(name, one)
    return [name]
  })
}

function nameOf(node: unknown): string {
  const name = isObject(node) ? (node['name'] ?? node['value']) : undefined
  return typeof name === 'string' ? name : ''
}
