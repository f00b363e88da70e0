import type { TrialVerdict } from '#posts/trial-verdict'

/** The result by the numbers so far, and the next step. */
export function verdictText(verdict: TrialVerdict): string {
  if (verdict.name === 'too-few')
    return `No result before each variant was shown to ${verdict.minimum} people.`
  if (verdict.name === 'won')
    return `Variant ${verdict.winner.toUpperCase()} is better. It is applied automatically.`
  if (verdict.name === 'undecided') return undecidedText(verdict)
  return 'The difference is too small to matter. The post keeps the original.'
}

function undecidedText({ leader, daysLeft }: Extract<TrialVerdict, { name: 'undecided' }>): string {
  if (leader === undefined) return 'The variants perform equally so far.'
  const ahead = `Variant ${leader.toUpperCase()} is ahead, but not significantly.`
  if (daysLeft === undefined) return ahead
  const days = Math.max(1, Math.ceil(daysLeft))
  return `${ahead} At this pace, a result takes about ${days} ${days === 1 ? 'day' : 'days'}.`
}
