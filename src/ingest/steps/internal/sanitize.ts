import {
  type IncomingEvent,
  isEmpty,
  type Json,
  type PersonChanges,
  type Properties,
  hasNoChanges,
} from '#events/event'

/**
 * Replaces NUL and lone surrogates: the engine does not keep them, and one of them can make it reject a whole batch.
 */
export function sanitizeText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '\uFFFD') : whole
}

/** Intended values are not nested deeper. Without a limit, a hostile value overflows the stack of recursive code. */
const maxDepth = 32
/** Replaces a value that is nested too deeply. */
const tooDeepMarker = '…'

/** Sanitises a value. Returns the same object if nothing changes, which is the usual case. */
function sanitizeValue(value: Json, depth = 0): Json {
  if (typeof value === 'string') return sanitizeText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= maxDepth) return tooDeepMarker
  return Array.isArray(value) ? sanitizeList(value, depth) : sanitizeProperties(value, depth)
}

/** Copies from the first changed value on, because a separate check would visit each level twice. */
function sanitizeList(list: Json[], depth: number): Json[] {
  let copy: Json[] | undefined
  for (const [i, value] of list.entries()) {
    const sanitized = sanitizeValue(value, depth + 1)
    if (!copy && sanitized !== value) copy = list.slice(0, i)
    copy?.push(sanitized)
  }
  return copy ?? list
}

/** Leaves out `__proto__`: copying it by assignment would change the prototype of the copy. */
function sanitizeProperties(properties: Properties, depth = 0): Properties {
  const keys = Object.keys(properties)
  let copy: Properties | undefined
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? ''
    const value = properties[key] ?? null
    const sanitized = sanitizeValue(value, depth + 1)
    const sanitizedKey = sanitizeText(key)
    if (!copy && (sanitized !== value || sanitizedKey !== key || key === '__proto__'))
      copy = pickProperties(properties, keys.slice(0, i))
    if (copy && sanitizedKey !== '__proto__') copy[sanitizedKey] = sanitized
  }
  return copy ?? properties
}

const pickProperties = (properties: Properties, keys: readonly string[]): Properties =>
  Object.fromEntries(keys.map((key) => [key, properties[key] ?? null]))

/** Estimates how many characters a value takes. It stops at `most`. */
export function approximateSize(value: Json, most = Number.POSITIVE_INFINITY): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 6
  let size = 2
  for (const key of Object.keys(value)) {
    // the keys of an array are indexes, which take no characters
    size +=
      1 + (Array.isArray(value) ? 0 : key.length + 3) + approximateSize(valueAt(value, key), most - size)
    if (size > most) return size
  }
  return size
}

const valueAt = (value: Json[] | Properties, key: string): Json =>
  (Array.isArray(value) ? value[Number(key)] : value[key]) ?? null

/** Sanitises every text in an event. */
export function sanitizeEvent(event: IncomingEvent): IncomingEvent {
  return {
    ...event,
    name: sanitizeText(event.name),
    distinctId: event.distinctId === undefined ? undefined : sanitizeText(event.distinctId),
    properties: sanitizeProperties(event.properties),
    person: sanitizePerson(event.person),
    identity: event.identity && sanitizeIdentity(event.identity),
    groups: sanitizeGroups(event.groups),
    group: event.group && {
      type: sanitizeText(event.group.type),
      key: sanitizeText(event.group.key),
      set: sanitizeProperties(event.group.set),
    },
  }
}

function sanitizePerson(person: PersonChanges): PersonChanges {
  if (hasNoChanges(person)) return person
  const { set, setOnce, unset, add, lists = [] } = person
  return {
    set: sanitizeProperties(set),
    setOnce: sanitizeProperties(setOnce),
    unset: unset.map(sanitizeText),
    add: sanitizeRecord(add, (value) => value),
    ...(lists.length > 0 && {
      lists: lists.map(({ kind, name, item }) => ({
        kind,
        name: sanitizeText(name),
        item: sanitizeProperties({ item })['item'] ?? null,
      })),
    }),
  }
}

function sanitizeIdentity(identity: NonNullable<IncomingEvent['identity']>): IncomingEvent['identity'] {
  if (identity.kind === 'identify') return { kind: 'identify', anonymous: sanitizeText(identity.anonymous) }
  if (identity.kind === 'alias') return { kind: 'alias', alias: sanitizeText(identity.alias) }
  return { kind: 'merge', other: sanitizeText(identity.other) }
}

const sanitizeGroups = (groups: IncomingEvent['groups']): IncomingEvent['groups'] =>
  sanitizeRecord(groups, sanitizeText)

function sanitizeRecord<Value>(
  record: Readonly<Record<string, Value>>,
  sanitize: (value: Value) => Value,
): Readonly<Record<string, Value>> {
  if (isEmpty(record)) return record
  const entries = Object.entries(record).filter(([key]) => key !== '__proto__')
  return Object.fromEntries(entries.map(([key, value]) => [sanitizeText(key), sanitize(value)]))
}
