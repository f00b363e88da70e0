import { mathWords } from '#insights/measures/maths'
import { eventLabel } from '#events/taxonomy'
import { operator } from '#projects/access'
import type { AlertReadingDependencies } from './alert-reading'
import type { WatchedMetric } from './watched-metric'

/** Names metrics in the plural: "“Page view” events", "“Signed up” events (persons)", "the numbers of “Revenue”" */
export async function watchedMetricWords(
  projectId: number,
  watched: WatchedMetric,
  { savedInsights }: Pick<AlertReadingDependencies, 'savedInsights'>,
): Promise<string> {
  if (watched.type === 'event') return eventWords(watched)
  const insight = await savedInsights.find(projectId, watched.insight, operator('alerts'))
  return insight ? `“${insight.name}”` : 'a deleted insight'
}

export function eventWords({
  event,
  label,
  measure,
}: Pick<Extract<WatchedMetric, { type: 'event' }>, 'event' | 'label' | 'measure'>): string {
  const name = label ?? (event === null ? undefined : eventLabel(event))
  const events = name === undefined ? 'events' : `“${name}” events`
  return measure.math === 'total' ? events : `${events} (${inSentence(mathWords(measure.math).label)})`
}

/** NPS and CSAT are written as they are. */
const inSentence = (label: string): string => (/^[A-Z]+$/.test(label) ? label : label.toLowerCase())
