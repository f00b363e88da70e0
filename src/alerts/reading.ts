import type { Insights } from '../insights/ask'
import { trendNumbers, type TrendNumbers } from '../insights/trend-lines'
import { type Calendar, daysBefore, type Period } from '../insights/period'
import type { SavedInsights } from '../insights/saved-insights'
import { operator } from '../projects/access'
import { type Outcome, undone } from '../projects/problems'
import type { Alert } from './alert'
import type { Condition, Reading } from './condition'
import { questionOfEvent, questionOfInsight, type Watched, type WatchedQuestion } from './watched'
import type { AlertInterval } from './words'

export interface ReadingGround {
  insights: Pick<Insights, 'ask'>
  savedInsights: Pick<SavedInsights, 'find'>
}

/** Whoever set an alert up may read the project; from then on it is Tilth that looks. */
const alerts = operator('alerts')

type Watching = Pick<Alert, 'projectId' | 'watched' | 'condition'>

/** A number as of now, and the time it is of. */
export type Read = Outcome<{ reading: Reading; period: Period; as: TrendNumbers['lines'][number]['as'] }>

/** The numbers of one line, interval by interval. */
export interface Course {
  label: string
  as: TrendNumbers['lines'][number]['as']
  interval: AlertInterval
  starts: string[]
  values: (number | null)[]
  lastIsIncomplete: boolean
}

export async function questionOf(
  projectId: number,
  watched: Watched,
  { savedInsights }: Pick<ReadingGround, 'savedInsights'>,
): Promise<Outcome<{ question: WatchedQuestion }>> {
  if (watched.type === 'event') return { done: true, question: questionOfEvent(watched) }
  return questionOfInsight(await savedInsights.find(projectId, watched.insight, alerts))
}

export async function readNow(watching: Watching, calendar: Calendar, ground: ReadingGround): Promise<Read> {
  const { condition } = watching
  if (condition.type === 'absence') return await readAbsence(watching, condition.minutes, calendar, ground)
  const asked = await askedFor(
    watching,
    `${intervalsBack(condition)}${units[condition.interval]}`,
    condition.interval,
    ground,
  )
  if (!asked.done) return asked
  const { answer, line } = asked
  const place = answer.starts.length - (condition.type === 'threshold' && condition.of === 'running' ? 1 : 2)
  const from = answer.starts[place]
  if (from === undefined) return undone('There is no such interval yet.')
  const period = { from: new Date(from), until: new Date(answer.starts[place + 1] ?? calendar.now) }
  const value = line.values[place] ?? null
  if (condition.type === 'threshold') return { done: true, reading: { value }, period, as: line.as }
  const before = placeBefore(answer, place, condition, calendar)
  return { done: true, reading: { value, against: line.values[before] ?? null }, period, as: line.as }
}

async function readAbsence(
  watching: Watching,
  minutes: number,
  { now }: Calendar,
  ground: ReadingGround,
): Promise<Read> {
  const period = { from: new Date(now.getTime() - minutes * 60_000), until: now }
  const text = `${period.from.toISOString()}..${period.until.toISOString()}`
  const asked = await askedFor(watching, text, 'month', ground, 'total')
  if (!asked.done) return asked
  return { done: true, reading: { value: asked.line.total }, period, as: 'number' }
}

const usualCourse = 30

/** The last thirty of them, for a chart; of an absence, by the hour. */
export async function courseOf(
  watching: Watching,
  ground: ReadingGround,
): Promise<Outcome<{ course: Course }>> {
  const interval = watching.condition.type === 'absence' ? 'hour' : watching.condition.interval
  const asked = await askedFor(watching, `${usualCourse + 1}${units[interval]}`, interval, ground)
  if (!asked.done) return asked
  const { answer, line } = asked
  const { label, as, values } = line
  const { starts, lastIsIncomplete } = answer
  return { done: true, course: { label, as, interval, starts, values, lastIsIncomplete } }
}

const units = { hour: 'h', day: 'd', week: 'w', month: 'mo' } as const satisfies Record<AlertInterval, string>

/** How many are asked for, the one that it is now among them. A week has 169 hours where the clocks are put back. */
function intervalsBack(condition: Exclude<Condition, { type: 'absence' }>): number {
  if (condition.type === 'threshold') return condition.of === 'running' ? 1 : 2
  if (condition.against === 'previous' || condition.interval === 'week') return 3
  return condition.interval === 'hour' ? 7 * 24 + 4 : 9
}

function placeBefore(
  { starts }: TrendNumbers,
  place: number,
  { against, interval }: Extract<Condition, { type: 'relative' }>,
  calendar: Calendar,
): number {
  if (against === 'previous' || interval === 'week') return place - 1
  const before = daysBefore(new Date(starts[place] ?? calendar.now), 7, calendar)
  return starts.findLastIndex((start) => new Date(start) <= before)
}

async function askedFor(
  { projectId, watched }: Watching,
  period: string,
  interval: AlertInterval,
  ground: ReadingGround,
  math?: 'total',
): Promise<Outcome<{ answer: TrendNumbers; line: TrendNumbers['lines'][number] }>> {
  const of = math && watched.type === 'event' ? { ...watched, measure: { math } } : watched
  const wanted = await questionOf(projectId, of, ground)
  if (!wanted.done) return wanted
  const asked = await ground.insights.ask(projectId, { ...wanted.question, period, interval }, alerts, {
    isFresh: true,
  })
  if (!asked.done) return asked
  const answer = trendNumbers(asked)
  const line = answer?.lines[watched.type === 'insight' ? watched.line : 0]
  return answer && line
    ? { done: true, answer, line }
    : undone('The insight has no such line any more. Choose another.', 'watched')
}
