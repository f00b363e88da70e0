import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vitest/node'
import { codeIn, everyNode, isObject, isTest } from './source-files'

/** The public methods of each part of an opened product, as `part.method`; its own functions by their names. */
export function publicMethods(product: object, isPrivate: PrivateNames): string[] {
  return Object.entries(product).flatMap(([name, part]: [string, unknown]) => {
    if (typeof part === 'function') return [name]
    return isObject(part) ? methodsOf(part, isPrivate).map((method) => `${name}.${method}`) : []
  })
}

/** Tells whether a class hides one of its names; only the source says so. */
export type PrivateNames = (className: string, name: string) => boolean

function methodsOf(part: object, isPrivate: PrivateNames): string[] {
  const found = new Set<string>()
  const className = part.constructor.name
  for (const [name, value] of Object.entries(part)) {
    if (typeof value === 'function' && !isPrivate(className, name)) found.add(name)
  }
  for (let level = prototypeOf(part); level !== Object.prototype; level = prototypeOf(level)) {
    for (const name of Object.getOwnPropertyNames(level)) {
      if (name !== 'constructor' && !isPrivate(level.constructor.name, name)) found.add(name)
    }
  }
  return [...found]
}

function prototypeOf(value: object): object {
  const prototype: unknown = Object.getPrototypeOf(value)
  return typeof prototype === 'object' && prototype !== null ? prototype : Object.prototype
}

/** Reads every class below `src`. */
export function privateNamesIn(root: string): PrivateNames {
  const hidden = new Set<string>()
  for (const path of codeIn(root, 'src').filter((one) => one.endsWith('.ts') && !isTest(one))) {
    const program = parseAst(readFileSync(join(root, path), 'utf8'), { lang: 'ts' }, path)
    for (const node of everyNode(program)) {
      if (node.type === 'ClassDeclaration') for (const name of hiddenIn(node)) hidden.add(name)
    }
  }
  return (className, name) => hidden.has(`${className}.${name}`)
}

function hiddenIn({ id, body }: Record<string, unknown>): string[] {
  const members = isObject(body) && Array.isArray(body['body']) ? body['body'] : []
  return members
    .filter((member: Record<string, unknown>) => /private|protected/.test(String(member['accessibility'])))
    .map(({ key }: Record<string, unknown>) => `${nameOf(id)}.${nameOf(key)}`)
}

const nameOf = (node: unknown): string => (isObject(node) ? String(node['name'] ?? node['value']) : '')
