import type { Unit } from '#ui/format'

/** The end and the step of an axis, and where its lines are. */
export type Ticks = { min: number; max: number; at: number[] }

const hour = 3600
const day = 24 * hour
/** Steps that clocks have; from a day on, days are counted in tens. */
const clockSteps = [
  1,
  2,
  5,
  10,
  15,
  30,
  60,
  120,
  300,
  600,
  900,
  1800,
  hour,
  2 * hour,
  3 * hour,
  6 * hour,
  12 * hour,
  day,
]

/**
 * Round numbers from just below the lowest to just above the highest. Zero is always among them: an axis that begins
 * elsewhere makes small changes look large.
 */
export function ticks(amounts: Iterable<number>, unit: Unit = 'number', tickCount = 4): Ticks {
  const { low, high, isWhole } = extremes(amounts)
  if (low === high) return { min: 0, max: 1, at: [0, 1] }

  const step = Math.max(stepFor((high - low) / tickCount, unit), isWhole && unit !== 'percent' ? 1 : 0)
  const from = Math.floor(low / step + 1e-9)
  const until = Math.ceil(high / step - 1e-9)
  const at = Array.from({ length: until - from + 1 }, (_, index) => multiple(from + index, step))
  return { min: at[0] ?? 0, max: at.at(-1) ?? 1, at }
}

function extremes(amounts: Iterable<number>) {
  let [low, high, isWhole] = [0, 0, true]
  for (const one of amounts) {
    if (!Number.isFinite(one)) continue
    low = Math.min(low, one)
    high = Math.max(high, one)
    isWhole &&= Number.isInteger(one)
  }
  return { low, high, isWhole }
}

function stepFor(least: number, unit: Unit): number {
  if (unit === 'seconds') return clockStep(least)
  if (unit === 'milliseconds') return clockStep(least / 1000) * 1000
  return roundStep(least)
}

function clockStep(seconds: number): number {
  if (seconds <= 1) return roundStep(seconds)
  return clockSteps.find((step) => step >= seconds) ?? roundStep(seconds / day) * day
}

/** 1, 2 or 5 times a power of ten. */
function roundStep(least: number): number {
  const power = Math.floor(Math.log10(least))
  const factor = [1, 2, 5, 10].find((each) => multiple(each, 10 ** power) >= least * (1 - 1e-9)) ?? 10
  return multiple(factor, 10 ** power)
}

/** 3 × 0.1 is 0.3 for people. */
const multiple = (times: number, step: number): number => Number((times * step).toPrecision(12))

/** The least width of the axis in each class of chart widths; charts.css defines the classes. */
const minWidths = { narrow: 250, medium: 400, wide: 680 }

type WidthClass = keyof typeof minWidths
type AxisLabel = { index: number; label: string; widthClasses: WidthClass[] }

const allWidthClasses: WidthClass[] = ['narrow', 'medium', 'wide']

/** The most labels that are all shown, cut off where they are long. */
const maxUnthinnedLabels = 5
const characterWidth = 6.2
const widestLabel = 128
const labelGap = 18
const strides = [
  1, 2, 3, 4, 5, 6, 7, 10, 12, 14, 15, 20, 24, 28, 30, 48, 50, 60, 90, 100, 120, 180, 200, 250, 365, 500,
]

/** The labels that fit in a narrow chart and in a wide one: every second, every seventh. */
export function labelsThatFit(labels: readonly string[]): AxisLabel[] {
  if (labels.length <= maxUnthinnedLabels)
    return labels.map((label, index) => ({ index, label, widthClasses: allWidthClasses }))
  const widthStrides = allWidthClasses.map((widthClass) => ({
    room: widthClass,
    stride: strideFor(labels, minWidths[widthClass]),
  }))
  return labels.flatMap((label, index) => {
    const shownIn = widthStrides
      .filter(({ stride }) => index % stride === 0)
      .map(({ room: widthClass }) => widthClass)
    return shownIn.length > 0 ? [{ index, label, widthClasses: shownIn }] : []
  })
}

function strideFor(labels: readonly string[], width: number): number {
  const longest = Math.max(0, ...labels.map((label) => label.length))
  const needed = Math.min(longest * characterWidth, widestLabel) + labelGap
  const least = (needed * labels.length) / width
  return strides.find((stride) => stride >= least) ?? Math.ceil(least)
}
