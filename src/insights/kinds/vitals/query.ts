import { float, type Sql, sql, uint } from '../../../engine/sql'
import { Events } from '../../events'
import type { Period } from '../../period'
import { asNumber, eventProperty } from '../../properties'
import type { Scope } from '../../scope'
import { type VitalName, vitalNames, webVitals } from '../../web-vitals'
import type { VitalsQuestion } from './question'

export interface VitalRow {
  vital: VitalName
  p75: number
  measured: number
  good: number
  poor: number
}

/** Each vital of the whole site, in one look at the events. */
export const ofSite = (question: VitalsQuestion, scope: Scope, period: Period): Sql => sql`
  select vital, ${summary}
  from (
    select measurement.1 as vital, measurement.2 as amount, measurement.3 as good_until, measurement.4 as poor_from
    from ${measuredIn(question, scope, period)}
    array join [${sql.join(vitalNames.map(measurement))}] as measurement
    where measurement.2 is not null
  )
  group by vital`

/** One vital of the pages that were measured most. */
export const ofPages = (question: VitalsQuestion, scope: Scope, period: Period): Sql => sql`
  select page, ${summary}
  from (
    select path as page, ${amountOf(question.vital)} as amount, ${thresholds(question.vital)}
    from ${measuredIn(question, scope, period)}
    where amount is not null
  )
  group by page
  order by measured desc, page
  limit ${uint(question.limit)}`

const summary = sql`
  quantileExactInclusive(0.75)(assumeNotNull(amount)) as p75,
  count() as measured,
  countIf(amount <= good_until) as good,
  countIf(amount > poor_from) as poor`

const measuredIn = (question: VitalsQuestion, scope: Scope, period: Period): Sql =>
  new Events(scope, question, { period, names: ['$web_vitals'] }).rows()

const amountOf = (name: VitalName): Sql => asNumber(eventProperty(`$web_vitals_${name}_value`))

const thresholds = (name: VitalName): Sql =>
  sql`${float(webVitals[name].good)} as good_until, ${float(webVitals[name].poor)} as poor_from`

const measurement = (name: VitalName): Sql =>
  sql`(${nameOf[name]}, ${amountOf(name)}, ${float(webVitals[name].good)}, ${float(webVitals[name].poor)})`

const nameOf: Record<VitalName, Sql> = {
  LCP: sql`'LCP'`,
  INP: sql`'INP'`,
  CLS: sql`'CLS'`,
  FCP: sql`'FCP'`,
  TTFB: sql`'TTFB'`,
}
