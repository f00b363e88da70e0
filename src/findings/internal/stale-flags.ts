import type { FlagFigures } from '#flags/numbers'
import { type StaleReason, staleDays, staleWords } from '#flags/staleness'
import { plural } from '#ui/format'
import type { Finding } from '../finding'
import { pageAddress } from './addresses'
import type { FindingRule } from './rule'

/** Flags that code no longer needs: one sentence about all of them. */
export const staleFlags: FindingRule = {
  id: 'stale-flag',
  needs: ['events:read', 'project:read'],
  async find({ projectId, viewer, flags }) {
    const outcome = await flags.numbers.ofAll(projectId, {}, viewer)
    return outcome.done ? staleFinding([...outcome.figures.flags.values()]) : []
  },
}

/** Flags that are asked for come last: their code is to be changed first. */
const order: readonly StaleReason['because'][] = [
  'not-asked',
  'never-asked',
  'fully-rolled-out',
  'one-answer',
]

const claims: Record<StaleReason['because'], string> = {
  'not-asked': `not asked for in ${staleDays} days`,
  'never-asked': 'never asked for',
  'fully-rolled-out': `fully rolled out for ${staleDays} days`,
  'one-answer': `the same for everyone for ${staleDays} days`,
}

export function staleFinding(figures: readonly Pick<FlagFigures, 'key' | 'stale'>[]): Finding[] {
  const stale = figures
    .flatMap(({ key, stale: reason }) => (reason ? [{ key, because: reason.because }] : []))
    .toSorted((one, other) => order.indexOf(one.because) - order.indexOf(other.because))
  const [first, ...others] = stale
  if (!first) return []
  const isWas = first.because === 'not-asked' || first.because === 'never-asked' ? 'was' : 'is'
  return [
    {
      rule: staleFlags.id,
      urgency: 'tidy',
      headline: [{ name: first.key }, ` ${isWas} ${claims[first.because]}: remove it`],
      reason:
        others.length === 0
          ? staleWords[first.because]
          : `${staleWords[first.because]} ${plural(others.length, 'other flag is', 'other flags are')} stale too.`,
      action:
        others.length === 0
          ? { label: 'Open the flag', path: pageAddress.flag(first.key) }
          : { label: 'See stale flags', path: pageAddress.staleFlags },
    },
  ]
}
