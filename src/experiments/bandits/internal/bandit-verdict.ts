import { mismatchAlarm } from '#statistics/sample-ratio'
import type { ExperimentReport } from '../../results/report'
import {
  type ExperimentVerdict,
  isGuarded,
  isWithin,
  violatedGuardrails,
  type VerdictContext,
} from '../../results/verdict'
import { type BanditSettings, defaultBandit } from '../bandit'
import type { BanditArm } from '../progress'

interface BanditContext extends VerdictContext {
  bandit: BanditSettings | undefined
  arms: readonly BanditArm[]
}

/** Judges a bandit: its best variant is shipped once it is the best with the probability of the settings. */
export function banditVerdict(report: ExperimentReport, context: BanditContext): ExperimentVerdict {
  const { weightedSplit: split } = report
  if (split && split.p < mismatchAlarm)
    return { advice: 'check-split', phase: 0, p: split.p, largestDeviation: split.largestDeviation }
  if (!report.metrics.some(({ role }) => role === 'primary')) return { advice: 'no-metric' }
  const { arms, analysis, isRunning } = context
  const [best] = arms.toSorted((one, other) => other.chance - one.chance)
  const wait = (reason: 'no-units' | 'too-few-units' | 'guardrail-unclear'): ExperimentVerdict => ({
    advice: 'wait',
    reason: isRunning ? reason : 'ended',
    days: undefined,
  })
  if (!best || report.variants.every(({ units }) => units === 0)) return wait('no-units')
  const { burnInUnits } = context.bandit ?? defaultBandit
  const fewest = Math.min(...arms.map(({ units }) => units))
  if (fewest < Math.max(burnInUnits, analysis.minimumUnits)) return wait('too-few-units')
  const harm = violatedGuardrails(report).find(({ variant }) => variant === best.variant)
  if (harm) return { advice: 'stop', reason: 'guardrail', ...harm }
  const known = { variant: best.variant, chance: best.chance }
  if (best.chance >= analysis.level)
    return best.variant === report.control || isGuarded(report, best.variant)
      ? { advice: 'ship-best', ...known, isEnded: !isRunning }
      : wait('guardrail-unclear')
  if (isWithin(report, analysis.smallestEffect))
    return { advice: 'no-difference', smallestEffect: analysis.smallestEffect }
  return isRunning ? { advice: 'keep-going', ...known } : { advice: 'wait', reason: 'ended', days: undefined }
}
