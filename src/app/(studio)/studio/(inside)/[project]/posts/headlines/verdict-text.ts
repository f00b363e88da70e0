import type { TrialVerdict } from '#posts/trial-verdict'

/** What the numbers say by now, and what comes next. */
export function verdictText(verdict: TrialVerdict): string {
  if (verdict.name === 'too-few') return `Nothing is said before each was shown to ${verdict.minimum} people.`
  if (verdict.name === 'won')
    return `Variant ${verdict.winner.toUpperCase()} is better. It becomes the post’s own by itself.`
  if (verdict.name === 'undecided') return undecidedText(verdict)
  return 'Whatever the difference is, it is too small to matter. The post keeps its own words.'
}

function undecidedText({ leader, daysLeft }: Extract<TrialVerdict, { name: 'undecided' }>): string {
  if (leader === undefined) return 'They are equally good by now.'
  const ahead = `Variant ${leader.toUpperCase()} is ahead, which may still be chance.`
  if (daysLeft === undefined) return ahead
  const days = Math.max(1, Math.ceil(daysLeft))
  return `${ahead} If it goes on like this, it is known in about ${days} ${days === 1 ? 'day' : 'days'}.`
}
