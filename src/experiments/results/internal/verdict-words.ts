import { waitingInWords } from '#insights/waiting-events'
import { percent } from '#ui/format'
import { shownEstimate } from './readings'
import { chanceInWords, estimateText } from '../estimate-words'
import { pInWords } from '../p-value'
import type { ExperimentVerdict, DecidingComparison, WaitReason } from '../verdict'

/** An estimate with its interval, relative where it can be: "+12% (95% interval +4% to +21%)". */
export function estimateInWords(
  { unit, comparison }: Pick<DecidingComparison, 'unit' | 'comparison'>,
  level: number,
): string {
  const scale = (comparison.adjusted ?? comparison).relative ? 'relative' : 'absolute'
  return estimateText(shownEstimate(comparison), unit, { scale, level })
}

const waiting: Readonly<Record<WaitReason, string>> = {
  'no-units': 'No one has been exposed yet.',
  'too-few-units': 'Too few people have been exposed to say anything.',
  'no-values':
    'The primary metrics have too few values to compare, although people were exposed. Check that their events are sent.',
  ended: 'The experiment ended before anything was clear.',
  planned: 'Nothing is decided before the planned end.',
  unclear: 'No variant is clearly better or worse yet.',
  'guardrail-unclear': 'A variant is better, but a guardrail is not yet known to be safe.',
}

const guardrailUnknown =
  'A variant is better, but the planned size does not show that every guardrail is safe. Ship it at your own risk, or run a larger experiment.'

const daysInWords = (days: number): string => (days === 1 ? 'about a day' : `about ${days} days`)

function waitInWords({ reason, days }: Extract<ExperimentVerdict, { advice: 'wait' }>): string {
  if (reason === 'ended') return waiting.ended
  if (reason === 'guardrail-unclear' && days === undefined) return guardrailUnknown
  if (days !== undefined && days > 365)
    return `${waiting[reason]} At this rate it takes more than a year: look for a larger effect.`
  return `${waiting[reason]} ${days === undefined ? 'Wait.' : `Wait ${daysInWords(days)}.`}`
}

function bestInWords({
  advice,
  variant,
  chance,
}: Extract<ExperimentVerdict, { advice: 'keep-going' | 'ship-best' }>): string {
  const known = `the best with a probability of ${chanceInWords(chance)}`
  return advice === 'keep-going'
    ? `Keep going: “${variant}” is ${known} so far.`
    : `Ship “${variant}”: it is ${known}.`
}

const quoted = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(', ')

function rolloutWords({ unclear, harmed }: Extract<ExperimentVerdict, { advice: 'roll-out' }>): string {
  if (harmed.length > 0) return `Beyond its margin: ${quoted(harmed)}.`
  return unclear.length === 0
    ? 'Every guardrail is within its margin.'
    : `No guardrail is known to be beyond its margin. Not yet known to be within it: ${quoted(unclear)}.`
}

/** The verdict as one or two sentences: what is known, and what to do. */
export function verdictInWords(verdict: ExperimentVerdict, level: number): string {
  if (verdict.advice === 'not-started') return 'The experiment has not started.'
  if (verdict.advice === 'storing') return `${waitingInWords(verdict.events)}. Decide once they are counted.`
  if (verdict.advice === 'no-metric')
    return 'Add a primary metric: without one there is nothing to decide by.'
  if (verdict.advice === 'roll-out') return rolloutWords(verdict)
  if (verdict.advice === 'check-split')
    return `Do not decide yet: the variants did not get the configured shares of people (up to ${percent(verdict.largestDeviation)} off, ${pInWords(verdict.p)}). Find the cause first.`
  if (verdict.advice === 'keep-going' || verdict.advice === 'ship-best') return bestInWords(verdict)
  if (verdict.advice === 'wait') return waitInWords(verdict)
  if (verdict.advice === 'no-difference')
    return `Stop: no variant differs by as much as ${percent(verdict.smallestEffect, 1)}. Keep the control, or choose by other reasons.`
  if (verdict.advice === 'cannot-tell')
    return `Cannot tell: no variant is clearly better or worse, and by now an effect of ${percent(verdict.smallestEffect, 1)} would have been found with a probability of ${percent(verdict.power, 1)}. Keep the control, or plan a larger experiment for a smaller effect.`
  const found = `${verdict.metric} ${estimateInWords(verdict, level)}`
  if (verdict.advice === 'ship')
    return `Ship “${verdict.variant}”: ${found}${verdict.guardrails === 0 ? '' : ', and every guardrail is within its margin'}.`
  return verdict.reason === 'guardrail'
    ? `Stop “${verdict.variant}”: the guardrail ${found} is beyond its margin.`
    : `Stop: “${verdict.variant}” is worse, ${found}.`
}
