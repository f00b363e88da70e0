import type { EventColumns, PersonChanges, PreparedEvent, Properties } from '#events/event'
import { applyPersonChanges, type Person } from './person'
import type { ExportedPerson } from './profile'

/** Returns the person after an event; the same object if nothing changes, so that it need not be saved. */
export function applyEvent(person: Person, event: PreparedEvent): Person {
  const changes = personChangesFromEvent(event)
  const createdAt = event.at < person.createdAt ? event.at : person.createdAt
  const after =
    event.importId === undefined ? applyOwn(person, changes) : applyImported(person, changes, event.importId)
  return after === person && createdAt === person.createdAt ? person : { ...after, createdAt }
}

/** Applies a client's changes. Properties that a client sets no longer belong to an import. */
function applyOwn(person: Person, changes: PersonChanges): Person {
  const properties = applyPersonChanges(person.properties, changes)
  const imported = person.imported && without(person.imported, namesIn(changes))
  return properties === person.properties && imported === person.imported
    ? person
    : { ...person, properties, imported }
}

/** History is older than what clients have set, whenever it arrives: it changes only what it has set itself, or is missing. */
function applyImported(person: Person, changes: PersonChanges, importId: string): Person {
  const { imported = {} } = person
  if (imported[wholeProfile] === importId) return person
  const mayChange = (name: string): boolean =>
    Object.hasOwn(imported, name) || !Object.hasOwn(person.properties, name)
  const set = only(changes.set, mayChange)
  const add = only(changes.add, mayChange)
  const unset = changes.unset.filter(mayChange)
  const setOnce = only(changes.setOnce, (name) => !Object.hasOwn(person.properties, name))
  const properties = applyPersonChanges(person.properties, { set, setOnce, add, unset })
  if (properties === person.properties) return person
  const names = [...Object.keys(setOnce), ...Object.keys(set), ...Object.keys(add)]
  const brought = Object.fromEntries(names.map((name) => [name, importId]))
  return { ...person, properties, imported: without({ ...imported, ...brought }, unset) }
}

/**
 * The name under which a person remembers the import that brought their whole profile, as no property is called: the
 * events of that import teach nothing more about them.
 */
const wholeProfile = ''

/** Returns the person with what an export says of them; the same object if nothing changes. */
export function applyProfile(
  person: Person,
  { properties, isIdentified, createdAt }: ExportedPerson,
  importId: string,
): Person {
  const set = applyImported(person, { set: properties, setOnce: {}, unset: [], add: {} }, importId)
  const isMarked = set === person && set.imported?.[wholeProfile] !== undefined
  const after = isMarked ? set : { ...set, imported: { ...set.imported, [wholeProfile]: importId } }
  const earlier = createdAt < person.createdAt ? createdAt : person.createdAt
  const isKnown = person.isIdentified || !isIdentified
  if (after === person && earlier === person.createdAt && isKnown) return person
  return { ...after, createdAt: earlier, isIdentified: person.isIdentified || isIdentified }
}

const namesIn = ({ set, add, unset, lists = [] }: PersonChanges): string[] => [
  ...Object.keys(set),
  ...Object.keys(add),
  ...unset,
  ...lists.map(({ name }) => name),
]

/** Returns the same object if it has none of the names. */
const without = <Value>(
  record: Readonly<Record<string, Value>>,
  names: readonly string[],
): Readonly<Record<string, Value>> =>
  names.some((name) => Object.hasOwn(record, name)) ? only(record, (name) => !names.includes(name)) : record

const only = <Value>(
  record: Readonly<Record<string, Value>>,
  isWanted: (name: string) => boolean,
): Record<string, Value> => Object.fromEntries(Object.entries(record).filter(([name]) => isWanted(name)))

/** Returns the person without what an import has set. */
export function withoutImport(person: Person, importId: string): Person {
  const { imported = {} } = person
  const isKept = (name: string): boolean => imported[name] !== importId
  const properties: Properties = only(person.properties, isKept)
  return { ...person, properties, imported: only(imported, isKept) }
}

/** Person properties that are derived from events: the first origin, and the current devices. */
const learnedProperties: readonly { column: keyof EventColumns; latest: string; first: string }[] = [
  { column: 'browser', latest: '$browser', first: '$initial_browser' },
  { column: 'os', latest: '$os', first: '$initial_os' },
  { column: 'device', latest: '$device_type', first: '$initial_device_type' },
  { column: 'country', latest: '$geoip_country_code', first: '$initial_geoip_country_code' },
  { column: 'region', latest: '$geoip_subdivision_1_name', first: '$initial_geoip_subdivision_1_name' },
  { column: 'city', latest: '$geoip_city_name', first: '$initial_geoip_city_name' },
  { column: 'referrer', latest: '$referrer', first: '$initial_referrer' },
  { column: 'referrer_host', latest: '$referring_domain', first: '$initial_referring_domain' },
  { column: 'path', latest: '$pathname', first: '$initial_pathname' },
  { column: 'utm_source', latest: 'utm_source', first: '$initial_utm_source' },
  { column: 'utm_medium', latest: 'utm_medium', first: '$initial_utm_medium' },
  { column: 'utm_campaign', latest: 'utm_campaign', first: '$initial_utm_campaign' },
  { column: 'utm_content', latest: 'utm_content', first: '$initial_utm_content' },
  { column: 'utm_term', latest: 'utm_term', first: '$initial_utm_term' },
]

/** Returns the person properties of an event, explicit and derived; explicit ones take precedence. */
export function personChangesFromEvent(event: PreparedEvent): PersonChanges {
  const { person, name } = event
  // a person set from a server has no browser, so only page views update derived properties
  if (name !== '$pageview' && name !== '$screen' && name !== '$identify') return person
  // read last: an event from the journal parses its columns on every access
  const { columns } = event
  const latest: Properties = {}
  const first: Properties = {}
  for (const { column, latest: now, first: once } of learnedProperties) {
    const value = columns[column]
    if (value === undefined || value === '') continue
    latest[now] = value
    first[once] = value
  }
  return { ...person, set: { ...latest, ...person.set }, setOnce: { ...first, ...person.setOnce } }
}
