import { createHash } from 'node:crypto'
import type { FilterAnswer } from '#filters/filter'
import type { ConditionSet } from '#flags/flag'

/** A flag for the plainest evaluation: without regard to speed, each number is computed anew. */
interface PlainFlag {
  key: string
  variants: readonly { key: string; percentage: number }[]
  sets: readonly (Pick<ConditionSet, 'percentage' | 'variant' | 'isLast'> & { holds: FilterAnswer })[]
}

export function expectedFlagValue(flag: PlainFlag, id: string): boolean | string {
  const values = new Set(everyPossibility(flag.sets).map((sets) => valueForSets({ ...flag, sets }, id)))
  const [value] = values
  return values.size === 1 && value !== undefined ? value : 'undecided'
}

/** Every combination of outcomes of the unknown conditions. */
function everyPossibility(sets: PlainFlag['sets']): PlainFlag['sets'][] {
  const [first, ...others] = sets
  if (!first) return [[]]
  const rest = everyPossibility(others)
  const answers = first.holds === 'unknown' ? [true, false] : [first.holds]
  return answers.flatMap((holds) => rest.map((after) => [{ ...first, holds }, ...after]))
}

function valueForSets({ key, variants, sets }: PlainFlag, id: string): boolean | string {
  for (const { holds, percentage, variant, isLast } of sets) {
    if (holds !== true) continue
    const isIn = percentage === 100 || (percentage > 0 && number(`${key}.${id}`) <= percentage / 100)
    if (isIn) return variant ?? variantOf(key, variants, id)
    if (isLast) return false
  }
  return false
}

function variantOf(key: string, variants: PlainFlag['variants'], id: string): true | string {
  const at = number(`${key}.${id}variant`)
  let from = 0
  for (const variant of variants) {
    const until = from + variant.percentage / 100
    if (at >= from && at < until) return variant.key
    from = until
  }
  return true
}

function number(text: string): number {
  const digits = createHash('sha1').update(text).digest('hex').slice(0, 15)
  return Number(BigInt(`0x${digits}`)) / Number(0xfffffffffffffffn)
}
