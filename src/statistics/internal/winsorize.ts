/** The values below and above which values are replaced by them, given the shares of units to replace at each end. */
export function winsorLimits(
  values: readonly number[],
  { below = 0, above = 0 }: { below?: number; above?: number },
): { low: number; high: number } {
  const sorted = values.toSorted((one, other) => one - other)
  const replaced = (share: number) => Math.floor(sorted.length * share)
  return {
    low: sorted[replaced(below)] ?? -Infinity,
    high: sorted[sorted.length - 1 - replaced(above)] ?? Infinity,
  }
}

export const winsorized = (
  values: readonly number[],
  { low, high }: { low: number; high: number },
): number[] => values.map((value) => Math.min(high, Math.max(low, value)))
