import { dependenciesOf } from './flag-dependencies'
import type { Flag } from '../flag'

/** Sorts flags after those they depend on, otherwise in the given order. */
export function inDependencyOrder(
  flags: readonly Flag[],
  environment: string,
): { ordered: Flag[]; circular: ReadonlySet<Flag> } {
  const waiting = new Map<Flag, number>()
  const dependents = new Map<string, Flag[]>()
  const known = new Set(flags.map(({ key }) => key))
  for (const flag of flags) {
    const needed = [...dependenciesOf(flag, environment)].filter((key) => known.has(key))
    waiting.set(flag, needed.length)
    for (const key of needed) dependents.set(key, [...(dependents.get(key) ?? []), flag])
  }
  const ordered = flags.filter((flag) => waiting.get(flag) === 0)
  for (const { key } of ordered) ordered.push(...unblockedFlags(dependents.get(key) ?? [], waiting))
  // flags in a cycle never become ready, and neither do the flags that depend on them
  const circular = new Set(flags.filter((flag) => waiting.get(flag) !== 0))
  return { ordered: [...ordered, ...circular], circular }
}

/** Returns the flags that waited only for this one. */
function unblockedFlags(dependents: readonly Flag[], waiting: Map<Flag, number>): Flag[] {
  return dependents.filter((flag) => {
    const others = (waiting.get(flag) ?? 0) - 1
    waiting.set(flag, others)
    return others === 0
  })
}
