/** Returns the name that differs in the fewest letters from what was typed, if it is alike. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  const wanted = plain(typed)
  const [best] = names
    .map((name) => ({ name, distance: distanceOf(wanted, plain(name)) }))
    .toSorted((one, other) => one.distance - other.distance)
  return best && best.distance <= Math.max(2, typed.length / 3) ? best.name : undefined
}

/** Names that differ only in their way of writing are the same. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** The number of inserted or deleted letters; a changed letter counts as both. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 0; i < one.length; i++) {
    const next = [i + 1]
    for (let j = 1; j <= other.length; j++)
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (other[j - 1] === one[i] ? 0 : 2),
        ),
      )
    row = next
  }
  return row.at(-1) ?? 0
}
