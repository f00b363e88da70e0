import {
  type IncomingEvent,
  isEmpty,
  type Json,
  type PersonChanges,
  type Properties,
  saysNothing,
} from '../../events/event'

/** No engine keeps NUL and half characters as they are, and one of them can spoil the whole batch it is in. */
export function tidyText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '\uFFFD') : whole
}

/** Deeper than anything is nested on purpose; without a bound, a hostile value ends whoever walks it. */
const deepest = 32
/** Where something was nested too deep. */
const tooDeep = '…'

/** The same value, and the very same where it was tidy already, as nearly all are. */
export function tidyValue(value: Json, depth = 0): Json {
  if (typeof value === 'string') return tidyText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= deepest) return tooDeep
  return Array.isArray(value) ? tidyList(value, depth) : tidyProperties(value, depth)
}

/** Copied from the first value on that is not as it should be: looking first and copying then would look twice a level. */
function tidyList(list: Json[], depth: number): Json[] {
  let copy: Json[] | undefined
  for (const [i, value] of list.entries()) {
    const tidy = tidyValue(value, depth + 1)
    if (!copy && tidy !== value) copy = list.slice(0, i)
    copy?.push(tidy)
  }
  return copy ?? list
}

/** `__proto__` is left out: whoever copied it the usual way would change what the copy is. */
export function tidyProperties(properties: Properties, depth = 0): Properties {
  const keys = Object.keys(properties)
  let copy: Properties | undefined
  for (const [i, key] of keys.entries()) {
    const value = properties[key] ?? null
    const tidy = tidyValue(value, depth + 1)
    const tidyKey = tidyText(key)
    if (!copy && (tidy !== value || tidyKey !== key || key === '__proto__'))
      copy = some(properties, keys.slice(0, i))
    if (copy && tidyKey !== '__proto__') copy[tidyKey] = tidy
  }
  return copy ?? properties
}

const some = (properties: Properties, keys: readonly string[]): Properties =>
  Object.fromEntries(keys.map((key) => [key, properties[key] ?? null]))

/** Roughly how many characters a value takes; walked only as far as `most`. */
export function weightOf(value: Json, most = Number.POSITIVE_INFINITY): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 6
  let weight = 2
  for (const key of Object.keys(value)) {
    // an array's keys are its places, which weigh nothing
    weight += 1 + (Array.isArray(value) ? 0 : key.length + 3) + weightOf(valueAt(value, key), most - weight)
    if (weight > most) return weight
  }
  return weight
}

const valueAt = (value: Json[] | Properties, key: string): Json =>
  (Array.isArray(value) ? value[Number(key)] : value[key]) ?? null

/** The event with every text in it fit to be kept. */
export function tidyEvent(event: IncomingEvent): IncomingEvent {
  return {
    ...event,
    name: tidyText(event.name),
    distinctId: event.distinctId === undefined ? undefined : tidyText(event.distinctId),
    properties: tidyProperties(event.properties),
    person: tidyPerson(event.person),
    identity: event.identity && tidyIdentity(event.identity),
    groups: tidyGroups(event.groups),
    group: event.group && {
      type: tidyText(event.group.type),
      key: tidyText(event.group.key),
      set: tidyProperties(event.group.set),
    },
  }
}

function tidyPerson(person: PersonChanges): PersonChanges {
  if (saysNothing(person)) return person
  const { set, setOnce, unset, add } = person
  return {
    set: tidyProperties(set),
    setOnce: tidyProperties(setOnce),
    unset: unset.map(tidyText),
    add: tidyRecord(add, (value) => value),
  }
}

function tidyIdentity(identity: NonNullable<IncomingEvent['identity']>): IncomingEvent['identity'] {
  if (identity.kind === 'identify') return { kind: 'identify', anonymous: tidyText(identity.anonymous) }
  if (identity.kind === 'alias') return { kind: 'alias', alias: tidyText(identity.alias) }
  return { kind: 'merge', other: tidyText(identity.other) }
}

const tidyGroups = (groups: IncomingEvent['groups']): IncomingEvent['groups'] => tidyRecord(groups, tidyText)

function tidyRecord<Value>(
  record: Readonly<Record<string, Value>>,
  tidy: (value: Value) => Value,
): Readonly<Record<string, Value>> {
  if (isEmpty(record)) return record
  const entries = Object.entries(record).filter(([key]) => key !== '__proto__')
  return Object.fromEntries(entries.map(([key, value]) => [tidyText(key), tidy(value)]))
}
