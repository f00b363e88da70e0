import type { Filter } from '#filters/filter'
import { exposure as exposureEvent } from '../../compile/exposure'
import type { ExperimentQuestion } from './question'

/** The events that expose, and their property with the variant. */
export function exposureSource({ exposure, flag }: Pick<ExperimentQuestion, 'exposure' | 'flag'>): {
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
