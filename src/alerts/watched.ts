import { z } from 'zod'
import { measure } from '../insights/measure'
import { eventName, happening } from '../insights/question'
import { traffics } from '../insights/reach'
import type { SavedInsight } from '../insights/saved-insights'
import { type Outcome, undone } from '../projects/problems'

/** Of which numbers an alert is: those of an event, or one line of a saved trend. */
export const watched = z.discriminatedUnion(
  'type',
  [
    z.strictObject({
      type: z.literal('event'),
      event: eventName,
      label: z.string().max(200).optional(),
      filter: happening.shape.filter,
      measure: measure.prefault({}),
      traffic: z.enum(traffics).default('human'),
    }),
    z.strictObject({
      type: z.literal('insight'),
      insight: z.string().min(1, 'Choose an insight.').max(100),
      /** Which of its lines, from 0 on: its series that are not hidden, then its formulas. */
      line: z.number().int().min(0).max(14).default(0),
    }),
  ],
  { error: 'Choose what is watched: an event or an insight.' },
)
export type Watched = z.infer<typeof watched>

/** A trend, still without its period. */
export type WatchedQuestion = Record<string, unknown>

type EventWatched = Extract<Watched, { type: 'event' }>

export const questionOfEvent = ({
  event,
  label,
  filter,
  measure: of,
  traffic,
}: EventWatched): WatchedQuestion => ({
  kind: 'trend',
  traffic,
  series: [{ event, label, filter, measure: of }],
})

/** An insight as an alert reads it: each number as it was, not accumulated, smoothed or cut into pieces. */
export function questionOfInsight(insight: SavedInsight | undefined): Outcome<{ question: WatchedQuestion }> {
  if (!insight) return undone('The insight it watches is not there any more. Choose another.', 'watched')
  if (insight.archivedAt)
    return undone(`“${insight.name}” is archived. Bring it back, or choose another.`, 'watched')
  if (insight.question.kind !== 'trend')
    return undone('Only trends have a number for each interval. Choose one.', 'watched')
  const { compare: _compare, smoothing: _smoothing, ...question } = { ...insight.question } as WatchedQuestion // a trend's, as its kind read it
  return { done: true, question: { ...question, breakdowns: [], cumulative: false, chart: 'line' } }
}
