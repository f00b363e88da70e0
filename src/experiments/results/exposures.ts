import type { z } from 'zod'
import {
  type ExperimentExposuresAnswer,
  type ExposureCell,
  type ExposureDimension,
  exposureDimensions,
  type UnitState,
} from '#insights/kinds/experiment-exposures/answer'
import { mismatchAlarm, sampleRatioTest } from '#statistics/sample-ratio'
import { chiSquareTail } from '#statistics/special-functions'
import type { ExperimentPhase } from '../internal/phases'
import { causeInWords, differencesInWords } from './exposure-words'
import type { exposureReportSchema } from './report-schema'

export type ExposureReport = z.infer<typeof exposureReportSchema>
export type ExposureGroup = ExposureReport['groups'][number]
export type MismatchCause = NonNullable<ExposureReport['cause']>
type ExposureDifference = ExposureReport['differences'][number]
export type DifferenceReason = ExposureDifference['reason']
type VariantExposures = ExposureReport['totals'][number]
type SplitTest = ExposureReport['mismatch']

const mostValues = 50

/** Computes the report of exposures. `variants` begin with the control. */
export function exposureReport(
  variants: readonly string[],
  phases: readonly ExperimentPhase[],
  answer: ExperimentExposuresAnswer,
  { isSplitTested = true }: { isSplitTested?: boolean } = {},
): ExposureReport {
  const split = splitTester(variants, isSplitTested ? phases : [])
  const all = answer.cells.filter(({ dimension }) => dimension === 'all')
  const whole = split(all)
  const byDimension = exposureDimensions
    .filter((dimension) => dimension !== 'all')
    .map((dimension) => groupsOf(dimension, { answer, variants, all, split, whole }))
  const groups = byDimension.flatMap((own) => own.slice(0, mostValues))
  const groupsLeftOut = byDimension.flatMap((own) => leftOutOf(own.slice(mostValues)))
  const cause = whole.p < mismatchAlarm ? causeOf({ groups: byDimension.flat(), all, split }) : undefined
  return {
    variants: [...variants],
    totals: variants.map((variant) => countsOf(variant, all)),
    leftOut: leftOutIn(all),
    mismatch: whole,
    isSplitTested,
    cause,
    sentence: cause && causeInWords(cause),
    groups,
    groupsLeftOut,
    severalVariants: answer.several,
    differences: differencesOf(all, answer),
  }
}

type SplitTester = (cells: readonly ExposureCell[]) => SplitTest

/** Tests counted units against the weights of each phase. Phases with fixed variants have no expected split. */
function splitTester(variants: readonly string[], phases: readonly ExperimentPhase[]): SplitTester {
  return (cells) => {
    let [statistic, freedom] = [0, 0]
    for (const [phase, { weights, hasFixedVariants }] of phases.entries()) {
      if (hasFixedVariants) continue
      const own = cells.filter((cell) => cell.phase === phase)
      const observed = variants.map((variant) => unitsOf(own.filter((cell) => cell.variant === variant)))
      if (observed.every((units) => units === 0)) continue
      const expected = variants.map((variant) => weights[variant] ?? 0)
      const test = sampleRatioTest(observed, expected)
      if (!test.isTestable) continue
      statistic += test.statistic
      freedom += expected.filter((weight) => weight > 0).length - 1
    }
    return { statistic, p: freedom < 1 ? 1 : chiSquareTail(statistic, freedom) }
  }
}

const unitsOf = (cells: readonly ExposureCell[], state: UnitState = 'counted'): number =>
  cells.reduce((sum, cell) => (cell.state === state ? sum + cell.units : sum), 0)

function countsOf(variant: string, cells: readonly ExposureCell[]): VariantExposures {
  const own = cells.filter((cell) => cell.variant === variant && cell.state === 'counted')
  const total = (of: (cell: ExposureCell) => number) => own.reduce((sum, cell) => sum + of(cell), 0)
  return {
    variant,
    units: total(({ units }) => units),
    served: total(({ served }) => served),
    viewed: total(({ viewed }) => viewed),
    converted: total(({ converted }) => converted),
  }
}

function leftOutIn(cells: readonly ExposureCell[]): ExposureReport['leftOut'] {
  const counts = new Map<string, ExposureReport['leftOut'][number]>()
  for (const { state, variant, units } of cells) {
    if (state === 'counted') continue
    const key = `${state} ${variant}`
    counts.set(key, { state, variant, units: units + (counts.get(key)?.units ?? 0) })
  }
  return [...counts.values()].toSorted((one, other) => other.units - one.units)
}

interface GroupContext {
  answer: ExperimentExposuresAnswer
  variants: readonly string[]
  all: readonly ExposureCell[]
  split: SplitTester
  whole: SplitTest
}

function groupsOf(
  dimension: ExposureDimension,
  { answer, variants, all, split, whole }: GroupContext,
): ExposureGroup[] {
  const byValue = Map.groupBy(
    answer.cells.filter((cell) => cell.dimension === dimension),
    ({ value }) => value,
  )
  return [...byValue]
    .map(([value, cells]): ExposureGroup => {
      const units = unitsOf(cells)
      const without =
        units === unitsOf(all)
          ? null
          : split([...all, ...cells.map((cell) => ({ ...cell, units: -cell.units }))])
      return {
        dimension,
        value,
        variants: variants.map((variant) => countsOf(variant, cells)),
        units,
        leftOut: cells.reduce((sum, cell) => sum + cell.units, 0) - units,
        split: split(cells),
        without,
        contribution: whole.statistic - (without?.statistic ?? 0),
      }
    })
    .toSorted((one, other) => other.units - one.units || other.leftOut - one.leftOut)
}

function leftOutOf(others: readonly ExposureGroup[]): ExposureReport['groupsLeftOut'] {
  const [first] = others
  const units = others.reduce((sum, one) => sum + one.units, 0)
  return first ? [{ dimension: first.dimension, values: others.length, units }] : []
}

/** A group explains a mismatch if its own split is wrong, and the split of all others is not. */
function causeOf({
  groups,
  all,
  split,
}: {
  groups: readonly ExposureGroup[]
  all: readonly ExposureCell[]
  split: SplitTester
}): MismatchCause {
  const explaining = groups
    .filter(({ without, split: { p } }) => p < mismatchAlarm && without && without.p >= mismatchAlarm)
    .map(({ dimension, value, units, without }): MismatchCause & { p: number; units: number } => ({
      by: 'group',
      dimension,
      value,
      units,
      p: without?.p ?? 1,
    }))
  const included = leftOutStates.flatMap((state): (MismatchCause & { p: number; units: number })[] => {
    const together = split(
      all.map((cell) => (cell.state === state ? { ...cell, state: 'counted' as const } : cell)),
    )
    return together.p >= mismatchAlarm
      ? [{ by: 'left-out', state, units: unitsOf(all, state), p: together.p }]
      : []
  })
  // the fewest units that explain the mismatch; of as many, those after which the split is the likeliest
  const [best] = [...included, ...explaining].toSorted(
    (one, other) => one.units - other.units || other.p - one.p,
  )
  return best ?? { by: 'unknown' }
}

const leftOutStates = ['several', 'entry', 'robot', 'preview', 'not-exposed'] as const

function differencesOf(
  all: readonly ExposureCell[],
  { onlyBefore, onlyOutside }: ExperimentExposuresAnswer,
): ExposureDifference[] {
  const counts: [DifferenceReason, number][] = [
    ...([...leftOutStates, 'other'] as const).map((state): [DifferenceReason, number] => [
      state,
      unitsOf(all, state),
    ]),
    ['before-exposure', onlyBefore],
    ['outside-window', onlyOutside],
  ]
  return counts
    .filter(([, units]) => units > 0)
    .map(([reason, units]) => ({ reason, units, sentence: differencesInWords(reason, units) }))
}
