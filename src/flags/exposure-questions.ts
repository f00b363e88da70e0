import type { Filter } from '../filters/filter'
import { mainEnvironment } from './flag'

/** What happened in an environment: the main one's events say nothing of it, as its key is the project's own. */
export const ofEnvironment = (name: string): Filter =>
  name === mainEnvironment
    ? { type: 'event', key: '$environment', operator: 'is_not_set' }
    : { type: 'event', key: '$environment', operator: 'exact', value: [name] }

export interface OverTime {
  /** The flag's. */
  key: string
  environment: string
  period: string
  /** How often it was asked for, or by how many. */
  counts: 'times' | 'persons'
}

/** What was got over time, a line for each value: an ordinary trend, to be drawn and changed like any other. */
export const exposuresOverTime = ({ key, environment, period, counts }: OverTime) => ({
  kind: 'trend',
  period,
  filter: ofEnvironment(environment),
  series: [
    {
      event: '$feature_flag_called',
      label: counts === 'persons' ? 'People' : 'Times asked',
      filter: { type: 'event', key: '$feature_flag', operator: 'exact', value: [key] },
      measure: { math: counts === 'persons' ? 'persons' : 'total' },
    },
  ],
  breakdowns: [{ type: 'event', key: '$feature_flag_response' }],
  limit: 25,
})

/** What was got of each flag, and when code asked last. */
export const exposuresOf = (environment: string, period: string, flags?: readonly string[]) => ({
  kind: 'exposures',
  period,
  filter: ofEnvironment(environment),
  ...(flags && { flags }),
})
