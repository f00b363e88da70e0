import { hash } from 'node:crypto'
import type { Json, ListChange, PersonChanges, Properties } from '#events/event'

/** A person, with the properties that events have set. */
export interface Person {
  projectId: number
  id: string
  properties: Properties
  /**
   * Whether they were identified at least once. From then on `identify` alone does not merge them into another person.
   */
  isIdentified: boolean
  createdAt: Date
  /** The id that the coined name is made of, if it is another one than the person's own: see `nameIdOf`. */
  nameId?: string | undefined
  /** The properties that imports have set, with the import of each. What clients set takes precedence. */
  imported?: Readonly<Record<string, string>> | undefined
}

/** Returns the id that a person's coined name and mark are made of; it survives that they are identified. */
export const nameIdOf = ({ id, nameId }: Pick<Person, 'id' | 'nameId'>): string => nameId ?? id

const namespace = '9d2c1c0e-5c52-4f0f-9f0a-7f1b6f3e2a55'

/**
 * The person of a distinct id until it is merged with another. It is the same on every machine at any time, so most
 * events find their person without a look-up.
 */
export function personIdOf(projectId: number, distinctId: string): string {
  const digest = hash('sha1', `${namespace} ${projectId} ${distinctId}`, 'hex')
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `5${digest.slice(13, 16)}`,
    `${variant}${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join('-')
}

/** Placeholders that faulty code sends without an id. Merging on one of them would merge everyone into one person. */
const placeholderIds = new Set([
  '',
  'anonymous',
  'guest',
  'distinctid',
  'distinct_id',
  'id',
  'not_authenticated',
  'email',
  'undefined',
  'true',
  'false',
  '[object object]',
  'nan',
  'none',
  'null',
  '0',
  '$posthog_cookieless',
])

export const isMeaningfulId = (distinctId: string): boolean =>
  !placeholderIds.has(
    distinctId
      .trim()
      .replaceAll(/^["']|["']$/g, '')
      .toLowerCase(),
  )

/** The limit of properties; further ones are dropped as a mistake of the sender. */
const mostProperties = 1000

/** Returns the same object if nothing changes, so that callers need not save it. */
export function applyPersonChanges(
  properties: Properties,
  { setOnce, set, unset, add, lists = [] }: PersonChanges,
): Properties {
  const next = new Map(Object.entries(properties))
  for (const [name, value] of Object.entries(setOnce))
    if (value !== null && !next.has(name)) next.set(name, value)
  for (const [name, value] of Object.entries(set)) next.set(name, value)
  for (const [name, amount] of Object.entries(add)) next.set(name, sum(next.get(name), amount))
  for (const change of lists) next.set(change.name, changeList(next.get(change.name), change))
  for (const name of unset) next.delete(name)
  const result = Object.fromEntries([...next].slice(0, mostProperties))
  return isSame(properties, result) ? properties : result
}

const sum = (before: Json | undefined, amount: number): number =>
  (typeof before === 'number' ? before : 0) + amount

function isSame(before: Properties, after: Properties): boolean {
  const names = Object.keys(after)
  return (
    names.length === Object.keys(before).length && names.every((name) => isEqual(before[name], after[name]))
  )
}

const isEqual = (a: Json | undefined, b: Json | undefined): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b))

/**
 * Merges two persons: the survivor's properties take precedence, the other's are added. What an import has set gives way
 * to what a client has set.
 */
export function mergePersons(survivor: Person, other: Person): Person {
  const [ours = {}, otherProperties = {}] = [survivor.imported, other.imported]
  const lost = Object.keys(ours).filter(
    (name) => Object.hasOwn(other.properties, name) && !Object.hasOwn(otherProperties, name),
  )
  const kept = Object.entries(survivor.properties).filter(([name]) => !lost.includes(name))
  const imported = Object.fromEntries([
    ...Object.entries(otherProperties).filter(([name]) => !Object.hasOwn(survivor.properties, name)),
    ...Object.entries(ours).filter(([name]) => !lost.includes(name)),
  ])
  return {
    ...survivor,
    properties: { ...other.properties, ...Object.fromEntries(kept) },
    isIdentified: survivor.isIdentified || other.isIdentified,
    createdAt: other.createdAt < survivor.createdAt ? other.createdAt : survivor.createdAt,
    ...((survivor.imported ?? other.imported) && { imported }),
  }
}

/** A longer list is no property of a person. */
const mostItems = 1000

/** Returns the list after a change. A value that is no list becomes the first item of one. */
export function changeList(before: Json | undefined, { kind, item }: ListChange): Json[] {
  const list = Array.isArray(before) ? before : before === undefined || before === null ? [] : [before]
  const items = Array.isArray(item) ? item : [item]
  if (kind === 'remove') return list.filter((one) => !includes(items, one))
  const added = kind.endsWith('-absent') ? items.filter((one) => !includes(list, one)) : items
  return (kind.startsWith('append') ? [...list, ...added] : [...added, ...list]).slice(0, mostItems)
}

const includes = (list: readonly Json[], item: Json): boolean =>
  list.some(
    (one) => one === item || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(item)),
  )
