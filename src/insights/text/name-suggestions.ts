import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { type Sql, sql, string, strings, uint } from '#engine/sql'
import {
  eventAbout,
  eventLabel,
  isAuxiliaryEvent,
  propertyLabel,
  type PropertyType,
  type StandardProperty,
  standardProperties,
  standardProperty,
} from '#events/taxonomy'
import { codesNamed, valueName } from '#events/value-names'
import type { FilterColumn } from '#filters/filter'
import { numberOf } from '#filters/numbers'
import { requireRight, type Viewer } from '#projects/access'
import { type Outcome, parseInput } from '#projects/problems'
import type { Insights } from '../ask'
import type { DataDefinitions } from '../catalogue/definitions'
import { Events, humansOnly } from '../compile/internal/events'
import { firstTouchKeys, isFirstTouchKey } from '../compile/internal/first-touch'
import { lastKnownKeys } from '../compile/last-known'
import { periodOn } from '../calendar/period'
import { groupRows, PersonProfiles } from '../compile/internal/profiles'
import { inMap } from '../compile/internal/properties'
import type { QueryScope } from '../scope'
import { sessionColumns, type SessionKey } from '../compile/internal/sessions'

/** A recent event name. */
export interface EventOption {
  name: string
  label: string
  about?: string
  /** The count of the last 30 days. */
  count: number
  /** Whether it is hidden at first in a list to choose from. */
  isAuxiliary: boolean
  /** Whether a member has confirmed that it is sent correctly. */
  isVerified: boolean
}

/** A property to choose. */
export interface PropertyOption {
  type: 'event' | 'person' | 'group' | 'session'
  key: string
  /** The group's type, for a property of a group. */
  group?: string
  label: string
  about?: string
  /** The type of its values; undefined if there are too few values. */
  values?: PropertyType
}

export interface ValueOption {
  value: string
  /** The name that people know it by: "Germany" for DE. */
  label: string
  /** The events of the last 30 days, or the persons seen then for a property of persons; 0 for a value without any. */
  count: number
}

const propertyType = z.enum(['event', 'person', 'group', 'session'])

const propertiesQuery = z.object({
  of: z.array(propertyType).min(1),
  /** Only properties of this event. */
  event: z.string().max(200).nullish(),
  /** Includes properties that members have hidden. */
  withHidden: z.boolean().default(false),
})

const valuesQuery = z.object({
  type: propertyType,
  key: z.string().min(1).max(200),
  group: z.string().max(200).optional(),
  event: z.string().max(200).nullish(),
  search: z.string().max(200).default(''),
})
type ValuesQuery = z.infer<typeof valuesQuery>

const most = { events: 1000, properties: 1000, values: 50 }
/** A new name need not appear at once, because it can be typed. */
const goodForMs = 5 * 60_000
/** A sample for each event, so that rare events are included. */
const sampledOfEach = 1000

/** Suggests names and values from the data. */
export class NameSuggestions {
  private readonly cache = new LRUCache<string, object>({ max: 500, ttl: goodForMs })

  constructor(
    private readonly insights: Pick<Insights, 'scope'>,
    private readonly definitions: Pick<DataDefinitions, 'list'>,
  ) {}

  async events(projectId: number, viewer: Viewer): Promise<readonly EventOption[]> {
    const [events, definitions] = await Promise.all([
      this.cached(projectId, 'events', viewer, eventsOf),
      this.definitions.list(projectId, viewer),
    ])
    const byName = new Map(definitions.flatMap((one) => (one.type === 'event' ? [[one.name, one]] : [])))
    return events.flatMap((event) => {
      const definition = byName.get(event.name)
      if (definition?.isHidden) return []
      const { description, isVerified = false } = definition ?? {}
      return [{ ...event, isVerified, about: description || event.about }]
    })
  }

  async properties(
    projectId: number,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ properties: readonly PropertyOption[] }>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parseInput(propertiesQuery, input)
    if (!parsed.done) return parsed
    const { of, event, withHidden } = parsed.value
    // flags and cohorts decide about stored properties only
    const isOfEvents = of.includes('event') || of.includes('session')
    const lists = await Promise.all(
      of.map((type) =>
        this.cached(projectId, `${type} ${event ?? ''}`, viewer, (scope) =>
          propertyFinders[type](scope, event),
        ),
      ),
    )
    const computed = isOfEvents && of.includes('person') ? firstTouchProperties : []
    const definitions = await this.definitions.list(projectId, viewer)
    const byName = new Map(definitions.map((one) => [`${one.type} ${one.name}`, one]))
    const properties = visitOriginsFirst([...lists.flat(), ...computed]).flatMap((property) => {
      const definition = byName.get(`${property.type} property ${property.key}`)
      if (definition?.isHidden && !withHidden) return []
      return [definition?.description ? { ...property, about: definition.description } : property]
    })
    return { done: true, properties }
  }

  async values(
    projectId: number,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ values: readonly ValueOption[] }>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parseInput(valuesQuery, input)
    if (!parsed.done) return parsed
    const key = `values ${JSON.stringify(parsed.value)}`
    const values = await this.cached(projectId, key, viewer, (scope) => valuesOf(parsed.value, scope))
    return { done: true, values }
  }

  async groupTypes(projectId: number, viewer: Viewer): Promise<readonly string[]> {
    return await this.cached(projectId, 'group types', viewer, groupTypesOf)
  }

  /** Checks the viewer's rights before it reads the cache. */
  private async cached<Found extends object>(
    projectId: number,
    what: string,
    viewer: Viewer,
    find: (scope: QueryScope) => Promise<Found>,
  ): Promise<Found> {
    requireRight('events:read', projectId, viewer)
    const key = `${projectId} ${what}`
    // this line stored it under this key
    const known = this.cache.get(key) as Found | undefined
    if (known) return known
    const scope = await this.insights.scope(projectId, viewer)
    const found = await find(scope)
    if (!(await scope.isFirstDay())) this.cache.set(key, found)
    return found
  }
}

const allTraffic = { traffic: 'all', withoutTestAccounts: false } as const

const eventsWithin = (scope: QueryScope, period: string, names?: readonly string[]): Events =>
  new Events(scope, allTraffic, { period: periodOn(scope.calendar, period), names })

async function eventsOf(scope: QueryScope): Promise<Omit<EventOption, 'isVerified'>[]> {
  const rows = await scope.run<{ name: string; times: number }>(sql`
    select toString(event) as name, count() as times
    from ${eventsWithin(scope, '30d').rows()}
    group by name
    order by times desc, name
    limit ${uint(most.events)}`)
  return rows.map(({ name, times }) => ({
    name,
    label: eventLabel(name),
    about: eventAbout(name),
    count: times,
    isAuxiliary: isAuxiliaryEvent(name),
  }))
}

const propertyFinders = {
  event: eventPropertiesOf,
  person: personPropertiesOf,
  group: groupPropertiesOf,
  session: async () => sessionProperties,
} satisfies Record<
  PropertyOption['type'],
  (scope: QueryScope, event?: string | null) => Promise<readonly PropertyOption[]>
>

interface NameRow {
  name: string
  samples: string[]
}

const inColumns: readonly PropertyOption[] = Object.entries<StandardProperty>(standardProperties).flatMap(
  ([key, { column, label, about, type: values }]) =>
    column ? [{ type: 'event' as const, key, label, about, values }] : [],
)

/** The names of a week suffice; for a single event a month takes no longer. */
async function eventPropertiesOf(scope: QueryScope, event?: string | null): Promise<PropertyOption[]> {
  const events = event ? eventsWithin(scope, '30d', [event]) : eventsWithin(scope, '7d')
  const rows = await scope.run<NameRow>(
    namesIn(sql`(
      select properties
      from ${events.rows()}
      limit ${uint(sampledOfEach)} by event
    )`),
  )
  return [...inColumns, ...rows.map((row) => propertyOption('event', row))]
}

async function personPropertiesOf(scope: QueryScope): Promise<PropertyOption[]> {
  const rows = await scope.run<NameRow>(namesIn(new PersonProfiles(scope).rows()))
  const stored = new Set(rows.map(({ name }) => name))
  // visitors have them without a profile
  const lastKnown = lastKnownKeys.flatMap((name) => (stored.has(name) ? [] : [{ name, samples: [] }]))
  return [...rows, ...lastKnown].map((row) => propertyOption('person', row))
}

async function groupPropertiesOf(scope: QueryScope): Promise<PropertyOption[]> {
  const types = await groupTypesOf(scope)
  const lists = types.map(async (group) => {
    const rows = await scope.run<NameRow>(namesIn(groupRows(scope, group)))
    return [groupKey(group), ...rows.map((row) => ({ ...propertyOption('group', row), group }))]
  })
  return (await Promise.all(lists)).flat()
}

const groupKey = (group: string): PropertyOption => ({
  type: 'group',
  group,
  key: '$group_key',
  label: 'Group key',
  about: 'Which group it is.',
  values: 'text',
})

const firstTouchProperties: readonly PropertyOption[] = firstTouchKeys.map((key) => ({
  type: 'person',
  key,
  label: propertyLabel(key),
  about: 'Of the first page view of the person that is stored.',
  values: 'text',
}))

const sessionProperties: readonly PropertyOption[] = Object.entries(sessionColumns).map(
  ([key, { label, type }]) => ({ type: 'session', key, label, values: type }),
)

/** Properties of a visit's origin: events within it, such as a sign-up, have no referrer and would count as Direct. */
const visitOrigins: ReadonlySet<string> = new Set<SessionKey>([
  '$channel_type',
  '$entry_source',
  '$entry_referring_domain',
  '$entry_utm_source',
  '$entry_utm_medium',
  '$entry_utm_campaign',
])

/** Puts the origin of the visit before the property of the event with the same label. */
function visitOriginsFirst(properties: readonly PropertyOption[]): PropertyOption[] {
  const [origins, others] = [[], []] as [PropertyOption[], PropertyOption[]]
  for (const property of properties)
    (property.type === 'session' && visitOrigins.has(property.key) ? origins : others).push(property)
  return [...origins, ...others]
}

const namesIn = (source: Sql): Sql => sql`
  select toString(name) as name, groupUniqArray(5)(value) as samples
  from ${source}
  array join mapKeys(properties) as name, mapValues(properties) as value
  group by name
  order by count() desc, name
  limit ${uint(most.properties)}`

const propertyOption = (type: PropertyOption['type'], { name, samples }: NameRow): PropertyOption => ({
  type,
  key: name,
  label: propertyLabel(name),
  about: standardProperty(name)?.about,
  values: standardProperty(name)?.type ?? typeOf(samples),
})

/** Returns the first type that fits all values, which are stored as texts. */
function typeOf(samples: readonly string[]): PropertyType | undefined {
  if (samples.length === 0) return undefined
  return typeTests.find(([, isOne]) => samples.every(isOne))?.[0] ?? 'text'
}

const typeTests: readonly [PropertyType, (value: string) => boolean][] = [
  ['boolean', (value) => value === 'true' || value === 'false'],
  ['number', (value) => numberOf(value) !== undefined],
  ['time', (value) => /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d|$)/.test(value)],
  ['list', (value) => value.startsWith('[')],
]

async function groupTypesOf(scope: QueryScope): Promise<string[]> {
  const rows = await scope.run<{ name: string }>(sql`
    select toString(type) as name
    from ${groupRows(scope)}
    group by name
    order by count() desc, name`)
  return rows.map(({ name }) => name)
}

async function valuesOf(query: ValuesQuery, scope: QueryScope): Promise<ValueOption[]> {
  const { column, source, count = sql`count()` } = columnAndSource(query, scope)
  const { search, key } = query
  const named = codesNamed(key, search)
  const rows = await scope.run<{ value: string; count: number }>(sql`
    select ${column.text} as value, ${count} as count
    from ${source}
    where ${column.isSet}
      and ${search === '' ? sql`true` : sql`(positionCaseInsensitiveUTF8(${column.text}, ${string(search)}) > 0 or has(${strings(named)}, ${column.text}))`}
    group by value
    order by count desc, value
    limit ${uint(most.values)}`)
  const found = new Set(rows.map(({ value }) => value))
  const others = named.filter((value) => !found.has(value)).map((value) => ({ value, count: 0 }))
  return [...rows, ...others]
    .slice(0, most.values)
    .map((row) => ({ ...row, label: valueName(key, row.value) }))
}

/** Returns the fastest source of a property's values. */
function columnAndSource(
  { type, key, group, event }: ValuesQuery,
  scope: QueryScope,
): { column: FilterColumn; source: Sql; count?: Sql } {
  if (type === 'person' && !isFirstTouchKey(key)) {
    const profiles = new PersonProfiles(scope)
    const column = profiles.property({ type, key })
    const recent = new Events(scope, humansOnly, { period: periodOn(scope.calendar, '30d') })
    const count = sql`countIf(person_id in (select person from ${recent.rows()}))`
    return { column, source: profiles.rows(), count }
  }
  if (type === 'group') return { column: ofGroup(key), source: groupRows(scope, group ?? '') }
  const events = eventsWithin(scope, '30d', event ? [event] : undefined)
  const column = events.property({ type, key })
  return { column, source: events.rows() }
}

const ofGroup = (key: string): FilterColumn =>
  key === '$group_key' ? { text: sql`key`, isSet: sql`true` } : inMap(sql`properties`, key)
