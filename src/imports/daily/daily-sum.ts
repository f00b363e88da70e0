import { z } from 'zod'

/** The dimensions by which days are summed. `total` has one value, the empty text. */
const dailyDimensions = [
  'total',
  'source',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
  'page',
  'entry',
  'exit',
  'country',
  'region',
  'device',
  'browser',
  'os',
  'event',
] as const
export type DailyDimension = (typeof dailyDimensions)[number]

export const dailyMeasures = ['visitors', 'visits', 'views', 'bounces', 'seconds', 'events'] as const
export type DailyMeasure = (typeof dailyMeasures)[number]
/** The totals of each measure. `seconds` is the length of all visits together. */
export type DailyFigures = Record<DailyMeasure, number>

export const byMeasure = <Value>(valueOf: (measure: DailyMeasure) => Value): Record<DailyMeasure, Value> => ({
  visitors: valueOf('visitors'),
  visits: valueOf('visits'),
  views: valueOf('views'),
  bounces: valueOf('bounces'),
  seconds: valueOf('seconds'),
  events: valueOf('events'),
})

const count = z.int().min(0)

/** A source's totals of a day; an absent measure is none. */
export const dailyCounts = z.object(byMeasure(() => count.default(0)))

const mostValueLength = 2000

/**
 * A total that another product counted on one day, of the whole site or for one value of a dimension. No event can be
 * made of it, and visitors of several days cannot be added up.
 */
export const dailySum = z.strictObject({
  day: z.iso.date(),
  dimension: z.enum(dailyDimensions),
  value: z.string().max(mostValueLength),
  ...byMeasure(() => count),
})
export type DailySum = z.infer<typeof dailySum>

/** A sum of the dimension's value, which is cut where it is longer than any address. */
export const dailySumOf = (
  day: string,
  dimension: DailyDimension,
  value: string,
  figures: DailyFigures,
): DailySum => ({ day, dimension, value: value.slice(0, mostValueLength), ...figures })
