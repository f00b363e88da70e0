import type { Filter } from '#filters/filter'
import { mainEnvironment } from './flag'

/**
 * Selects an environment's events. Events of the main environment carry no name, since its key is the project's own.
 */
export const ofEnvironment = (name: string): Filter =>
  name === mainEnvironment
    ? { type: 'event', key: '$environment', operator: 'is_not_set' }
    : { type: 'event', key: '$environment', operator: 'exact', value: [name] }

interface ExposureTrendOptions {
  /** The key of the flag. */
  key: string
  environment: string
  period: string
  /** Whether requests or persons are counted. */
  counts: 'times' | 'persons'
}

/** The flag's values over time, a line for each value: an ordinary trend, which can be changed like any other. */
export const exposureTrendQuery = ({ key, environment, period, counts }: ExposureTrendOptions) => ({
  kind: 'trend' as const,
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

/** The values that each flag returned, and when it was last requested. */
export const exposuresQueryFor = (environment: string, period: string, flags?: readonly string[]) => ({
  kind: 'exposures' as const,
  period,
  filter: ofEnvironment(environment),
  ...(flags && { flags }),
})
