import type { EstimateInterval } from './frequentist'
import { normalQuantile } from './special-functions'

/** A share: `count` of `size`. */
export interface Proportion {
  count: number
  size: number
}

const z = normalQuantile(0.975)
const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))

/** The standard error of the difference of two shares, if they are the same. */
export function pooledShareError(one: Proportion, other: Proportion): number {
  const pooled = (one.count + other.count) / (one.size + other.size)
  return Math.sqrt(pooled * (1 - pooled) * (1 / one.size + 1 / other.size))
}

/** Wilson’s score interval of a share, which stays within 0 and 1 and is of use for a handful of units. */
export function wilsonInterval({ count, size }: Proportion): EstimateInterval {
  const share = count / size
  const middle = (share + z ** 2 / (2 * size)) / (1 + z ** 2 / size)
  const reach = (z * Math.sqrt((share * (1 - share)) / size + z ** 2 / (4 * size ** 2))) / (1 + z ** 2 / size)
  return {
    low: count === 0 ? 0 : clamp(middle - reach, 0, 1),
    high: count === size ? 1 : clamp(middle + reach, 0, 1),
  }
}
