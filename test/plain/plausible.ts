import type { Hit } from '../product/plausible-site'

/** The numbers of Plausible's API, counted without an engine. */
export interface PlainFigures {
  visitors: number
  visits: number
  pageviews: number
  events: number
  views_per_visit: number
  bounce_rate: number
  visit_duration: number
  total_revenue: number
}

/** One visit with all of its events. */
export interface PlainVisit {
  hits: readonly Hit[]
  entry: string
  exit: string
}

const isView = ({ name }: Hit): boolean => name === 'pageview'
export const isSent = ({ name }: Hit): boolean => name !== 'engagement'
const unique = (values: readonly unknown[]): number => new Set(values).size

export function visitsOf(hits: readonly Hit[]): PlainVisit[] {
  return [...Map.groupBy(hits, ({ visit }) => visit).values()].map((own) => {
    const views = own.filter(isView)
    return { hits: own, entry: views[0]?.path ?? '', exit: views.at(-1)?.path ?? '' }
  })
}

const isBounce = ({ hits }: PlainVisit): boolean =>
  hits.filter(isView).length === 1 && hits.every(({ name }) => name === 'pageview' || name === 'engagement')

const durationOf = (visit: PlainVisit): number => {
  const times = visit.hits.map(({ at }) => at.getTime())
  return isBounce(visit) ? 0 : (Math.max(...times) - Math.min(...times)) / 1000
}

/** Counts visits with an event that counts, and of their events those that do. */
export function figuresOf(
  visits: readonly PlainVisit[],
  counts: (hit: Hit) => boolean = () => true,
): PlainFigures {
  const within = visits.filter(({ hits }) => hits.some(counts))
  const counted = within.flatMap(({ hits }) => hits.filter(counts))
  const pageviews = counted.filter(isView).length
  const seconds = within.reduce((sum, visit) => sum + durationOf(visit), 0)
  return {
    visitors: unique(within.map(({ hits }) => hits[0]?.visitor)),
    visits: within.length,
    pageviews,
    events: counted.filter(isSent).length,
    views_per_visit: rounded(pageviews / within.length || 0, 2),
    bounce_rate: Math.round((within.filter(isBounce).length / within.length) * 100 || 0),
    visit_duration: Math.round(seconds / within.length || 0),
    total_revenue: counted.reduce((sum, { revenue }) => sum + revenue, 0),
  }
}

export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))

/** The hits from a day until another, both included, in UTC. */
export const between = (hits: readonly Hit[], first: string, last: string): Hit[] =>
  hits.filter(({ at }) => {
    const day = at.toISOString().slice(0, 10)
    return day >= first && day <= last
  })

/** A row of an answer: the values of its dimensions, and its metrics. */
export interface PlainRow {
  dimensions: string[]
  metrics: unknown[]
}

type MetricsOf<Group> = (group: Group) => unknown[]

/** Groups visits by values of theirs, in the form of an answer's rows. */
export const byVisit = (
  visits: readonly PlainVisit[],
  valuesOf: (visit: PlainVisit, first: Hit) => string[],
  metricsOf: MetricsOf<PlainVisit[]>,
): PlainRow[] =>
  rowsOf(
    visits.flatMap((visit) => {
      const [first] = visit.hits
      return first ? [{ item: visit, values: valuesOf(visit, first) }] : []
    }),
    metricsOf,
  )

/** Groups events by values of theirs. */
export const byEvent = (
  hits: readonly Hit[],
  valuesOf: (hit: Hit) => string[],
  metricsOf: MetricsOf<Hit[]>,
): PlainRow[] =>
  rowsOf(
    hits.map((item) => ({ item, values: valuesOf(item) })),
    metricsOf,
  )

function rowsOf<Item>(
  items: readonly { item: Item; values: string[] }[],
  metricsOf: MetricsOf<Item[]>,
): PlainRow[] {
  const groups = Map.groupBy(items, ({ values }) => JSON.stringify(values))
  return [...groups.values()].map((group) => ({
    dimensions: group[0]?.values ?? [],
    metrics: metricsOf(group.map(({ item }) => item)),
  }))
}

export const visitorsAmong = (hits: readonly Hit[]): number => unique(hits.map(({ visitor }) => visitor))
export const dayOf = ({ at }: Hit): string => at.toISOString().slice(0, 10)
export const hourOf = ({ at }: Hit): string =>
  `${dayOf({ at } as Hit)} ${at.toISOString().slice(11, 13)}:00:00`
