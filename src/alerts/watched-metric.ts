import { z } from 'zod'
import { measure } from '#insights/compile/measure'
import { eventName, eventMatcher } from '#insights/query-fields'
import { traffics } from '#insights/compile/event-range'
import type { SavedInsight } from '#insights/saved/saved-insights'
import { type Outcome, failedOutcome } from '#projects/problems'

/** The numbers that an alert watches: those of an event, or one line of a saved trend. */
export const watchedMetric = z.discriminatedUnion(
  'type',
  [
    z.strictObject({
      type: z.literal('event'),
      event: eventName,
      label: z.string().max(200).optional(),
      filter: eventMatcher.shape.filter,
      measure: measure.prefault({}),
      traffic: z.enum(traffics).default('human'),
    }),
    z.strictObject({
      type: z.literal('insight'),
      insight: z.string().min(1, 'Choose an insight.').max(100),
      /** The index of the line: first the series that are not hidden, then the formulas. */
      line: z.number().int().min(0).max(14).default(0),
    }),
  ],
  { error: 'Choose a metric: an event or an insight.' },
)
export type WatchedMetric = z.infer<typeof watchedMetric>

/** A trend query without its period. */
export type WatchedQuery = Record<string, unknown>

type WatchedEvent = Extract<WatchedMetric, { type: 'event' }>

export const queryOfEvent = ({ event, label, filter, measure: of, traffic }: WatchedEvent): WatchedQuery => ({
  kind: 'trend',
  traffic,
  series: [{ event, label, filter, measure: of }],
})

/** Returns an insight's query without accumulation, smoothing and breakdowns. */
export function queryOfInsight(insight: SavedInsight | undefined): Outcome<{ question: WatchedQuery }> {
  if (!insight) return failedOutcome('The insight was deleted. Choose another.', 'watched')
  if (insight.archivedAt)
    return failedOutcome(`“${insight.name}” is archived. Restore it, or choose another.`, 'watched')
  if (insight.question.kind !== 'trend')
    return failedOutcome('Only trends have a number for each interval. Choose one.', 'watched')
  const { compare: _compare, smoothing: _smoothing, ...query } = { ...insight.question } as WatchedQuery // a trend's, as its kind read it
  return { done: true, question: { ...query, breakdowns: [], cumulative: false, chart: 'line' } }
}
