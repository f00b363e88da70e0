/** Less from one third to the next is garbage that was not collected, and files that the system has not taken back. */
const ordinaryBytes = 8 * 1024 ** 2
const ordinaryShare = 0.04
const fewestSamples = 3

/**
 * By how many bytes memory still grows in the second half of a run; caches fill in the first one. A leak grows by as
 * much from each third to the next; an import or a merge of the engine's files is a step, after which memory is flat.
 */
export function growthOf(samples: readonly number[]): number {
  const later = samples.slice(Math.floor(samples.length / 2))
  const third = Math.floor(later.length / 3)
  if (third < fewestSamples) return 0
  const [first = 0, second = 0, last = 0] = [0, 1, 2].map((n) =>
    median(later.slice(n * third, (n + 1) * third)),
  )
  const leastGrowth = Math.min(second - first, last - second)
  return leastGrowth > Math.max(ordinaryBytes, first * ordinaryShare) ? last - first : 0
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
