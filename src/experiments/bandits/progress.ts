import { number } from '#ui/format'
import { chanceInWords } from '../results/estimate-words'
import type { BanditSettings } from './bandit'

export interface BanditProgress {
  experimentId: string
  projectId: number
  state: 'running' | 'paused'
  /** Why the weights are as they are, or why it is paused, in a sentence. */
  why: string
  /** The keys of the variants at the start, in the flag’s order. */
  variants: readonly string[]
  /** The numbers of the variants at the last reading; empty before it. */
  arms: readonly BanditArm[]
  /** The version of the flag up to which its weights are recorded. */
  seenVersion: number
  lookedAt: Date | undefined
  /** When the weights are looked at again. */
  nextAt: Date
}

/** The numbers of a variant by the decision metric, every unit weighted by the inverse of its probability. */
export interface BanditArm {
  variant: string
  units: number
  mean: number
  /** The probability of being the best variant. */
  chance: number
}

/** The weights of a flag from one of its versions on: with them, the log of assignments says how likely each was. */
export interface WeightChange {
  version: number
  at: Date
  /** Percentages by variant. */
  weights: Readonly<Record<string, number>>
  by: string
  why: string
  /** The percentage of people who would get another variant than before. */
  movedPercent: number
  chances?: Readonly<Record<string, number>> | undefined
  units?: Readonly<Record<string, number>> | undefined
}

/** The outcome of a look at the numbers. */
export type BanditMove =
  | { does: 'burn in'; why: string }
  | { does: 'nothing'; why: string }
  | { does: 'move'; percentages: readonly number[]; why: string }

/** Decides by the numbers alone. `percentages` are those of the flag, in the order of the arms. */
export function nextMove(
  { burnInUnits }: Pick<BanditSettings, 'burnInUnits'>,
  arms: readonly BanditArm[],
  percentages: { now: readonly number[]; best: readonly number[] },
): BanditMove {
  const fewest = arms.toSorted((one, other) => one.units - other.units)[0]
  if (!fewest || fewest.units < burnInUnits)
    return {
      does: 'burn in',
      why: `The weights stay equal until each variant has ${number(burnInUnits)} exposed units; ${fewest ? `“${fewest.variant}” has ${number(fewest.units)}` : 'none has any'}.`,
    }
  const isSame = percentages.best.every((one, i) => one === percentages.now[i])
  if (isSame)
    return { does: 'nothing', why: 'The weights fit what is known: none changes by a whole percent.' }
  const [best] = arms.toSorted((one, other) => other.chance - one.chance)
  return {
    does: 'move',
    percentages: percentages.best,
    why: `“${best?.variant}” is the best with a probability of ${chanceInWords(best?.chance ?? 0)}.`,
  }
}
