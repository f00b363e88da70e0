import type { AnalysisSettings, DecisionRule, Experiment } from '../experiment'
import type { Look } from './internal/looks'

const weekMs = 7 * 86_400_000

/** The sequential method decides at any time, whatever else is set. */
export const ruleOf = ({ method, decision }: Pick<AnalysisSettings, 'method' | 'decision'>): DecisionRule =>
  method === 'sequential' ? { rule: 'any-time' } : decision

/** When an experiment decides, where that is known: nothing that comes later counts for it. */
export function decisionTime(
  { analysis, sizeReachedAt }: Pick<Experiment, 'analysis' | 'sizeReachedAt'>,
  startedAt: Date,
): Date | undefined {
  const decision = ruleOf(analysis)
  if (decision.rule === 'planned-size') return sizeReachedAt
  return decision.rule === 'whole-weeks' ? new Date(startedAt.getTime() + decision.weeks * weekMs) : undefined
}

/** An experiment as it is known at a look: the units of its smallest variant, and until when. */
export interface KnownSoFar {
  startedAt: Date
  until: Date
  smallestArm: number
  /** Whether the planned size was seen before; people who are merged do not take it back. */
  isReached: boolean
}

/** The kind of a look; with the planned end it is the one that decides. */
export function lookAt(
  analysis: Pick<AnalysisSettings, 'method' | 'decision'>,
  { startedAt, until, smallestArm, isReached }: KnownSoFar,
): Look {
  const decision = ruleOf(analysis)
  if (decision.rule === 'any-time') return 'any'
  const isPlanned =
    decision.rule === 'planned-size'
      ? isReached || smallestArm >= decision.units
      : until.getTime() - startedAt.getTime() >= decision.weeks * weekMs
  return isPlanned ? 'planned' : 'early'
}

/** The rule in one sentence. */
export function ruleInWords(decision: DecisionRule): string {
  if (decision.rule === 'planned-size')
    return `Decides once, when every variant has ${decision.units.toLocaleString('en')} people.`
  if (decision.rule === 'whole-weeks')
    return `Decides once, after ${decision.weeks === 1 ? 'one week' : `${decision.weeks} weeks`}.`
  return 'Decides at any time: its intervals hold at every look.'
}
