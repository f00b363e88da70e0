import type { Annotation, ChartSize } from '../ui/chart'
import type { Unit } from '../ui/format'
import type { AnswerColumn } from './kind'
import type { WeekStart } from './period'

/** Whose clock and whose money a chart speaks of. */
export interface ChartGround {
  timeZone: string
  currency: string
  weekStart: WeekStart
}

/** Something that happened, to be written on the axis of time. */
export interface Note {
  at: string | Date
  label: string
  href?: string
}

/** What the chart of a kind is given: an answer, the question it answers, and where its numbers lead. */
export interface ChartProps<Question, Answer> {
  question: Question
  answer: Answer
  ground: ChartGround
  /** The address of the persons behind one number, told by its point. Without it, numbers lead nowhere. */
  drill?: (point: object) => string | undefined
  notes?: readonly Note[]
  size?: ChartSize
}

/** How the numbers of a column are written. */
export function unitOf(as: AnswerColumn['as'], { currency }: Pick<ChartGround, 'currency'>): Unit {
  if (as === 'money') return { currency }
  if (as === 'percent') return 'percent'
  return as === 'duration' ? 'seconds' : 'number'
}

/** On which of the buckets the notes stand; those outside of all of them are left out. */
export function notesOn(starts: readonly string[], end: string, notes: readonly Note[] = []): Annotation[] {
  const times = starts.map((start) => Date.parse(start))
  return notes.flatMap(({ at, label, href }) => {
    const time = new Date(at).getTime()
    const place = times.findLastIndex((start) => start <= time)
    return place < 0 || time >= Date.parse(end) ? [] : [{ at: place, label, href }]
  })
}
