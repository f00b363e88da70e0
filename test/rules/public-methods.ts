import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vitest/node'
import { codeIn, everyNode, isObject, isTest } from './source-files'

/**
 * The public methods of each service of an opened product, as `flags.find`, and of those that are reached through it, as
 * `flags.guards.find`; the product’s own functions by their names.
 */
export function publicMethods(product: object, isPrivate: PrivateNames): string[] {
  return Object.entries(product).flatMap(([name, service]: [string, unknown]) => {
    if (typeof service === 'function') return [name]
    if (!isObject(service)) return []
    const services = [[name, service] as const, ...servicesOf(name, service, isPrivate)]
    return services.flatMap(([path, one]) => methodsOf(one, isPrivate).map((method) => `${path}.${method}`))
  })
}

function servicesOf(name: string, service: object, isPrivate: PrivateNames): [string, object][] {
  if (!isInstance(service)) return []
  return Object.entries(service).flatMap(([key, one]: [string, unknown]): [string, object][] =>
    isObject(one) && isInstance(one) && !isHidden(service, key, isPrivate) ? [[`${name}.${key}`, one]] : [],
  )
}

/** Whether the class of a service, or one that it extends, hides a name. */
const isHidden = (service: object, name: string, isPrivate: PrivateNames): boolean =>
  classesOf(service).some((one) => isPrivate(one.constructor.name, name))

/** The prototypes of an object, its own class first. */
function classesOf(service: object): object[] {
  const first = prototypeOf(service)
  return first === Object.prototype ? [] : [first, ...classesOf(first)]
}

const isInstance = (value: object): boolean =>
  !Array.isArray(value) && prototypeOf(value) !== Object.prototype

/** Tells whether a class hides one of its names; only the source says so. */
export type PrivateNames = (className: string, name: string) => boolean

function methodsOf(part: object, isPrivate: PrivateNames): string[] {
  const found = new Set<string>()
  for (const [name, value] of Object.entries(part)) {
    if (typeof value === 'function' && !isHidden(part, name, isPrivate)) found.add(name)
  }
  for (const level of classesOf(part)) {
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
