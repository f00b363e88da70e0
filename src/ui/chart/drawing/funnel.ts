import type { FunnelChartProps, FunnelChartStep } from '../chart'

/** A step of one group, beside the step before it and the first. */
export type FunnelStepFigures = FunnelChartStep & {
  /** Of those who entered. */
  ofFirst: number
  /** Of those at the step before; undefined for the first. */
  ofBefore?: number
  dropped: number
  /** For drawing: of the largest first step of all groups. */
  width: number
  droppedWidth: number
}

/** Per step, what each group reached. */
export function stepFiguresAt(groups: FunnelChartProps['groups'], step: number): FunnelStepFigures[] {
  const largest = Math.max(0, ...groups.flatMap(({ steps }) => steps.map(({ count }) => count)))
  return groups.map(({ steps }) => stepFigures(steps, step, largest))
}

function stepFigures(steps: readonly FunnelChartStep[], step: number, largest: number): FunnelStepFigures {
  const here = steps[step] ?? { count: 0 }
  const before = step === 0 ? undefined : steps[step - 1]?.count
  const dropped = before === undefined ? 0 : Math.max(0, before - here.count)
  return {
    ...here,
    dropped,
    ofFirst: ratio(here.count, steps[0]?.count),
    ofBefore: before === undefined ? undefined : ratio(here.count, before),
    width: ratio(here.count, largest),
    droppedWidth: ratio(dropped, largest),
  }
}

/** 0 of 0 is 0, not NaN. */
const ratio = (part: number, whole = 0): number => (whole > 0 ? part / whole : 0)
