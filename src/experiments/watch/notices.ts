import type { ExperimentResult } from '../results/experiment-results'
import { type DecidingComparison, violatedGuardrails } from '../results/verdict'
import { estimateInWords } from '../results/internal/verdict-words'

/** The kinds of news that are told of an experiment without being asked. */
export type NoticeKind = 'decided' | 'guardrail' | 'split' | 'plan-done'

export interface ExperimentNotice {
  kind: NoticeKind
  /** Says what became known; the same is told once. */
  about: string
  sentence: string
}

/** Returns what a result of a running experiment says that its owners want to know without looking. */
export function noticesIn(
  { verdict, sentence, look, report }: Pick<ExperimentResult, 'verdict' | 'sentence' | 'look' | 'report'>,
  level: number,
): ExperimentNotice[] {
  if (!report) return []
  if (verdict.advice === 'check-split') return [{ kind: 'split', about: 'split', sentence }]
  const harms = violatedGuardrails(report).map((harm): ExperimentNotice => ({
    kind: 'guardrail',
    about: `guardrail ${harm.metric} ${harm.variant}`,
    sentence: harmInWords(harm, level),
  }))
  const decision = decisionIn(verdict)
  if (decision) return [...harms, { kind: 'decided', about: decision, sentence }]
  return look === 'planned' && verdict.advice !== 'storing'
    ? [...harms, { kind: 'plan-done', about: 'plan done', sentence }]
    : harms
}

/** A stop for a guardrail is told as its harm. */
function decisionIn(verdict: ExperimentResult['verdict']): string | undefined {
  const { advice } = verdict
  if (advice === 'ship' || advice === 'ship-best') return `${advice} ${verdict.variant}`
  if (advice === 'no-difference' || advice === 'cannot-tell') return advice
  return advice === 'stop' && verdict.reason === 'worse' ? `stop ${verdict.variant}` : undefined
}

const harmInWords = (harm: DecidingComparison, level: number): string =>
  `With “${harm.variant}” the guardrail ${harm.metric} is beyond its margin: ${estimateInWords(harm, level)}.`
