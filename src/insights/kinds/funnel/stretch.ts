import { type Outcome, undone } from '../../../projects/problems'
import { comparedSoFar, comparedWith, type Period } from '../../period'
import { periodAsked } from '../../question'
import type { Asked, Scope } from '../../scope'
import { windowMs } from './attempts'
import { longestMs } from './packing'
import type { FunnelShape } from './question'

/** From when to when people enter, and until when their later steps count. */
export interface FunnelStretch extends Period {
  readUntil: Date
}

export interface FunnelStretches {
  main: FunnelStretch
  compared: FunnelStretch | undefined
}

type Timed = FunnelShape & Pick<Asked, 'period'> & { compare?: string | undefined }

export async function stretchesOf(question: Timed, scope: Scope): Promise<Outcome<FunnelStretches>> {
  const period = await periodAsked(question, scope)
  const main = { ...period, readUntil: endOf(period, question) }
  const compared = question.compare ? comparedStretch(question, question.compare, period, scope) : undefined
  const longest = longestMs(question.steps.length)
  for (const { from, readUntil } of compared ? [main, compared] : [main])
    if (readUntil.getTime() - from.getTime() >= longest)
      return undone(
        'A funnel of so many steps cannot look at so many years. Choose a shorter period.',
        'period',
      )
  return { done: true, main, compared }
}

/** Whoever enters at the last moment has the whole window before them; its end still counts. */
const endOf = ({ until }: Period, { window }: FunnelShape): Date =>
  new Date(until.getTime() + windowMs(window) + 1)

/**
 * As it stood when as much time had passed since its beginning. Otherwise those of the compared period would have had
 * their whole window to go on, and those of this one only until now.
 */
function comparedStretch(
  question: Timed,
  compare: string,
  period: Period,
  { calendar }: Scope,
): FunnelStretch {
  const whole = comparedWith(period, compare, calendar)
  const soFar = comparedSoFar(whole, period, calendar)
  if (soFar !== whole) return { ...soFar, readUntil: soFar.until }
  const sinceMs = Math.max(0, calendar.now.getTime() - period.until.getTime())
  const asOf = whole.until.getTime() + sinceMs
  return { ...whole, readUntil: new Date(Math.min(endOf(whole, question).getTime(), asOf)) }
}
