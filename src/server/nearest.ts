/** Returns the known name that is closest to a mistyped one; undefined if none is close. */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((name) => ({ name, distance: editsBetween(typed, name) }))
    .sort((one, other) => one.distance - other.distance)
  return best && best.distance <= Math.max(2, typed.length / 3) ? best.name : undefined
}

/** The number of inserted or deleted letters between two texts; a changed letter counts as both. */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [line, letter] of Array.from(from).entries()) {
    const next = [line + 1]
    for (const [column, wanted] of Array.from(to).entries()) {
      const changed = at(row, column) + (letter === wanted ? 0 : 2)
      next.push(Math.min(changed, at(row, column + 1) + 1, at(next, column) + 1))
    }
    row = next
  }
  return at(row, to.length)
}

const at = (row: readonly number[], index: number): number => row[index] ?? Number.POSITIVE_INFINITY
