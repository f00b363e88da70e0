import { type Sql, sql, string } from '#engine/sql'
import type { Filter } from '#filters/filter'
import type { Events } from '../../compile/internal/events'
import { exposure as exposureEvent } from '../../compile/exposure'
import type { ExperimentQuery } from './schema'

/** The events that expose, and their property with the variant. The filter takes another case for the same flag. */
export function exposureSource({ exposure, flag }: Pick<ExperimentQuery, 'exposure' | 'flag'>): {
  event: string
  property: string
  filter: Filter | undefined
} {
  if (exposure.by === 'event') return { ...exposure, filter: exposure.filter }
  return {
    event: exposure.by === 'flag' ? exposureEvent.event : exposureEvent.seen,
    property: exposureEvent.value,
    filter: { type: 'event', key: exposureEvent.flag, operator: 'exact', value: [flag] },
  }
}

/** Whether an event is of the flag, whose key has a case. Call it before `rows`. */
export const isOfFlag = ({ flag }: Pick<ExperimentQuery, 'flag'>, events: Events): Sql =>
  sql`${events.property({ type: 'event', key: exposureEvent.flag }).text} = ${string(flag)}`

/** Whether an event of the source exposes: those about flags name theirs. Call it before `rows`. */
export const isOfExperiment = (query: Pick<ExperimentQuery, 'exposure' | 'flag'>, events: Events): Sql =>
  query.exposure.by === 'event' ? sql`true` : isOfFlag(query, events)
