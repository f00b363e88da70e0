import { int, type Sql, sql, string, strings } from '#engine/sql'
import { Events } from '#insights/compile/internal/events'
import { exposure } from '#insights/compile/exposure'
import {
  concernsPages,
  isViewOf,
  namesOfReading,
  tellsReadThrough,
} from '#insights/compile/internal/page-addresses'
import type { Period } from '#insights/calendar/period'
import type { QueryScope } from '#insights/scope'
import type { TrialQuery } from './schema'

/** The counts of a variant, or of persons who saw several. */
export interface VariantRow {
  saw_several: number
  variant: string
  shown: number
  clicks: number
  reads: number
}

const dayMs = 86_400_000

/** Instants are in milliseconds. A click comes after the exposure; reading may begin with the click. */
export const variants = (query: TrialQuery, scope: QueryScope, period: Period): Sql => sql`
  select
    saw_several,
    if(saw_several, '', shown_variant) as variant,
    count() as shown,
    countIf(opened_at is not null) as clicks,
    countIf(opened_at is not null and has_read) as reads
  from (
    select
      uniqExact(shown_value) > 1 as saw_several,
      any(shown_value) as shown_variant,
      min(shown_time) as shown_at,
      shown_at + ${int(query.days * dayMs)} as until,
      arrayMin(arrayMap(at -> if(at > shown_at and at <= until, at, null), groupArray(opened_time))) as opened_at,
      arrayExists(at -> at >= opened_at and at <= until, groupArray(read_time)) as has_read
    from (${trialEvents(query, scope, period)})
    group by cityHash64(person)
    having count(shown_time) > 0
  )
  group by saw_several, variant`

/** The events of the trial: the time of each exposure, view or reading, and null for other events. */
function trialEvents(query: TrialQuery, scope: QueryScope, period: Period): Sql {
  const events = new Events(scope, query, { period, names: [exposure.event, ...namesOfReading] })
  const flag = events.property({ type: 'event', key: exposure.flag }).text
  const value = events.property({ type: 'event', key: exposure.value }).text
  const isShown = sql`(event = ${string(exposure.event)} and ${flag} = ${string(query.flag)} and ${value} in ${strings(query.variants)})`
  const at = sql`toUnixTimestamp64Milli(timestamp)`
  return sql`
    select
      person,
      if(${isShown}, ${value}, null) as shown_value,
      if(${isShown}, ${at}, null) as shown_time,
      if(${isViewOf(query.pages)}, ${at}, null) as opened_time,
      if(${tellsReadThrough(query.pages)}, ${at}, null) as read_time
    from ${events.rows()}
    where (event = ${string(exposure.event)} or ${concernsPages(query.pages)})
      and (shown_time is not null or opened_time is not null or read_time is not null)`
}
