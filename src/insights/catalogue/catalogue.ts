import { LRUCache } from 'lru-cache'
import { dateTime, sql, uint } from '#engine/sql'
import { eventAbout, eventLabel } from '#events/taxonomy'
import { requireRight, type Viewer } from '#projects/access'
import type { Insights } from '../ask'
import { periodOn } from '../calendar/period'
import { Events } from '../compile/internal/events'
import type { QueryScope } from '../scope'
import type { NameSuggestions, PropertyOption } from '../text/name-suggestions'
import type { DataDefinition, DataDefinitions, DefinedType } from './definitions'

/** The members' description of a name; empty where there is none. */
export type NameDefinition = Pick<DataDefinition, 'description' | 'isHidden' | 'isVerified'>

/** An event name, when and by which libraries it was sent, and what members say about it. */
export interface CatalogueEvent {
  name: string
  label: string
  /** Tilth's own description; undefined for events of the project's own. */
  about: string | undefined
  /** The count of the last 30 days. */
  count: number
  firstAt: Date
  lastAt: Date
  /** The SDKs that sent it, the most frequent first. */
  libraries: string[]
  definition: NameDefinition
}

export type CatalogueProperty = PropertyOption & {
  type: 'event' | 'person'
  /** The names of events that lately had it, the most frequent first; none for properties that Tilth derives. */
  events: string[]
  definition: NameDefinition
}

interface EventRow {
  name: string
  count: number
  first_ms: number
  last_ms: number
  libraries: string[]
}

const mostEvents = 1000
/** The whole history is read, so the answer serves for a while. */
const goodForMs = 5 * 60_000

/** Lists what a project sends. */
export class Catalogue {
  private readonly cache = new LRUCache<number, EventRow[]>({ max: 200, ttl: goodForMs })
  private readonly propertyCache = new LRUCache<number, ReadonlyMap<string, string[]>>({
    max: 200,
    ttl: goodForMs,
  })

  constructor(
    private readonly dependencies: {
      insights: Pick<Insights, 'scope'>
      names: Pick<NameSuggestions, 'properties'>
      definitions: Pick<DataDefinitions, 'list'>
    },
  ) {}

  async events(projectId: number, viewer: Viewer): Promise<CatalogueEvent[]> {
    requireRight('events:read', projectId, viewer)
    const [rows, definitionOf] = await Promise.all([
      this.eventRows(projectId, viewer),
      this.definitionsBy(projectId, viewer),
    ])
    return rows.map(({ name, count, first_ms, last_ms, libraries }) => ({
      name,
      label: eventLabel(name),
      about: eventAbout(name),
      count,
      firstAt: new Date(first_ms),
      lastAt: new Date(last_ms),
      libraries,
      definition: definitionOf('event', name),
    }))
  }

  async properties(projectId: number, viewer: Viewer): Promise<CatalogueProperty[]> {
    requireRight('events:read', projectId, viewer)
    const query = { of: ['event', 'person'], withHidden: true }
    const [found, eventsOf, definitionOf] = await Promise.all([
      this.dependencies.names.properties(projectId, query, viewer),
      this.eventsByProperty(projectId, viewer),
      this.definitionsBy(projectId, viewer),
    ])
    return (found.done ? found.properties : []).flatMap(({ type, ...property }) =>
      type === 'event' || type === 'person'
        ? [
            {
              ...property,
              type,
              events: (type === 'event' && eventsOf.get(property.key)) || [],
              definition: definitionOf(`${type} property`, property.key),
            },
          ]
        : [],
    )
  }

  private async eventRows(projectId: number, viewer: Viewer): Promise<EventRow[]> {
    const known = this.cache.get(projectId)
    if (known) return known
    const scope = await this.dependencies.insights.scope(projectId, viewer)
    const rows = await eventRowsOf(scope)
    if (!(await scope.isFirstDay())) this.cache.set(projectId, rows)
    return rows
  }

  private async eventsByProperty(projectId: number, viewer: Viewer) {
    const known = this.propertyCache.get(projectId)
    if (known) return known
    const scope = await this.dependencies.insights.scope(projectId, viewer)
    const rows = await propertyRowsOf(scope)
    const byName = new Map(rows.map(({ name, events }) => [name, events]))
    if (!(await scope.isFirstDay())) this.propertyCache.set(projectId, byName)
    return byName
  }

  private async definitionsBy(projectId: number, viewer: Viewer) {
    const all = await this.dependencies.definitions.list(projectId, viewer)
    const byName = new Map(all.map((one) => [`${one.type} ${one.name}`, one]))
    return (type: DefinedType, name: string): NameDefinition => {
      const { description = '', isHidden = false, isVerified = false } = byName.get(`${type} ${name}`) ?? {}
      return { description, isHidden, isVerified }
    }
  }
}

const allTraffic = { traffic: 'all', withoutTestAccounts: false } as const

async function eventRowsOf(scope: QueryScope): Promise<EventRow[]> {
  const period = periodOn(scope.calendar, 'all', await scope.firstEventAt())
  const lately = periodOn(scope.calendar, '30d')
  return await scope.run<EventRow>(sql`
    select
      toString(event) as name,
      countIf(timestamp >= ${dateTime(lately.from)}) as count,
      toUnixTimestamp64Milli(min(timestamp)) as first_ms,
      toUnixTimestamp64Milli(max(timestamp)) as last_ms,
      arrayFilter(library -> library != '', topK(5)(toString(lib))) as libraries
    from ${new Events(scope, allTraffic, { period }).rows()}
    group by name
    order by count desc, name
    limit ${uint(mostEvents)}`)
}

/** A sample of each event, so that rare events are included. */
const sampledOfEach = 1000
const mostProperties = 1000

async function propertyRowsOf(scope: QueryScope): Promise<{ name: string; events: string[] }[]> {
  const lately = new Events(scope, allTraffic, { period: periodOn(scope.calendar, '30d') })
  return await scope.run<{ name: string; events: string[] }>(sql`
    select toString(name) as name, topK(5)(toString(event)) as events
    from (
      select event, properties
      from ${lately.rows()}
      limit ${uint(sampledOfEach)} by event
    )
    array join mapKeys(properties) as name
    group by name
    order by count() desc, name
    limit ${uint(mostProperties)}`)
}
