import { float, type Sql, sql, uint } from '#engine/sql'
import { Events } from '#insights/compile/internal/events'
import { grouped } from '#insights/compile/internal/page-groups'
import type { Period } from '#insights/calendar/period'
import { asNumber } from '#insights/compile/internal/properties'
import type { QueryScope } from '#insights/scope'
import { type VitalName, vitalNames, webVitals } from '#insights/compile/web-vitals'
import type { VitalsQuery } from './schema'

export interface VitalRow {
  vital: VitalName
  p75: number
  measured: number
  good: number
  poor: number
}

/** Returns each vital of the whole site, in one scan. */
export function ofSite(query: VitalsQuery, scope: QueryScope, period: Period): Sql {
  const events = measuredIn(query, scope, period)
  const measurements = sql.join(vitalNames.map((name) => measurement(name, events)))
  return sql`
    select vital, ${summary}
    from (
      select measurement.1 as vital, measurement.2 as amount, measurement.3 as good_until, measurement.4 as poor_from
      from ${events.rows()}
      array join [${measurements}] as measurement
      where measurement.2 is not null
    )
    group by vital`
}

/** Returns one vital of the pages with the most measurements. */
export function ofPages(query: VitalsQuery, scope: QueryScope, period: Period): Sql {
  const events = measuredIn(query, scope, period)
  return sql`
    select page, ${summary}
    from (
      select ${grouped(sql`path`, query.groupPages ? scope.pageGroups : [])} as page, ${amountOf(query.vital, events)} as amount, ${thresholds(query.vital)}
      from ${events.rows()}
      where amount is not null
    )
    group by page
    order by measured desc, page
    limit ${uint(query.limit)}`
}

const summary = sql`
  quantileExactInclusive(0.75)(assumeNotNull(amount)) as p75,
  count() as measured,
  countIf(amount <= good_until) as good,
  countIf(amount > poor_from) as poor`

const measuredIn = (query: VitalsQuery, scope: QueryScope, period: Period): Events =>
  new Events(scope, query, { period, names: ['$web_vitals'] })

const amountOf = (name: VitalName, events: Events): Sql =>
  asNumber(events.property({ type: 'event', key: `$web_vitals_${name}_value` }))

const thresholds = (name: VitalName): Sql =>
  sql`${float(webVitals[name].good)} as good_until, ${float(webVitals[name].poor)} as poor_from`

const measurement = (name: VitalName, events: Events): Sql =>
  sql`(${nameOf[name]}, ${amountOf(name, events)}, ${float(webVitals[name].good)}, ${float(webVitals[name].poor)})`

const nameOf: Record<VitalName, Sql> = {
  LCP: sql`'LCP'`,
  INP: sql`'INP'`,
  CLS: sql`'CLS'`,
  FCP: sql`'FCP'`,
  TTFB: sql`'TTFB'`,
}
