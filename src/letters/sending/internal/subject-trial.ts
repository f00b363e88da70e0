import { chancesOfLargestShare, shareBelief } from '#statistics/best-arm'
import type { LetterFigures } from '../../letter'

/**
 * The subject line whose letters lead to the most clicks, by the probability that its share of clicks is the largest.
 * Opens do not count: mail programs load pictures by themselves. Of equal ones the first wins.
 */
export function winnerOf(
  subjects: readonly string[],
  figures: readonly Pick<LetterFigures, 'variant' | 'delivered' | 'clicked'>[],
): { winner: string; chances: Record<string, number> } {
  const beliefs = subjects.map((key) => {
    const { delivered = 0, clicked = 0 } = figures.find(({ variant }) => variant === key) ?? {}
    return shareBelief(delivered > 0 ? Math.min(1, clicked / delivered) : 0, delivered)
  })
  const chances = chancesOfLargestShare(beliefs)
  const best = chances.reduce(
    (first, chance, index) => (chance > (chances[first] ?? 0) + 1e-9 ? index : first),
    0,
  )
  return {
    winner: subjects[best] ?? 'a',
    chances: Object.fromEntries(subjects.map((key, index) => [key, chances[index] ?? 0])),
  }
}

/** Assigns a subject line to each recipient; undefined for those who wait for the winner. */
export function assignSubjects(
  recipients: number,
  subjects: readonly string[],
  share: number | undefined,
): (string | undefined)[] {
  const [first = 'a'] = subjects
  if (share === undefined || subjects.length < 2) return Array.from({ length: recipients }, () => first)
  const tried = Math.min(recipients, Math.max(subjects.length, Math.round(recipients * share)))
  return Array.from({ length: recipients }, (_, index) =>
    index < tried ? subjects[index % subjects.length] : undefined,
  )
}
