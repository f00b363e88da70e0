import type { z } from 'zod'
import { type Flag, mainEnvironment } from '#flags/flag'
import { readersOf } from '#insights/kinds/experiment/flag-readers'
import type { QueryScope } from '#insights/scope'
import type { Experiment } from '../experiment'
import type { ReadinessCheck } from './readiness'

/** Another running experiment, and how many people read the flags of both. */
import type { overlappingExperiment } from './plan-schema'

export type OverlappingExperiment = z.infer<typeof overlappingExperiment>

/** Whether both flags have slices of one layer, which never overlap. */
const areSeparated = (one: Flag | undefined, other: Flag | undefined): boolean => {
  const layer = one?.environments[mainEnvironment]?.layer?.id
  return layer !== undefined && layer === other?.environments[mainEnvironment]?.layer?.id
}

/** Counts the persons that read this experiment’s flag and that of another. */
export async function sharedUnits(
  { flag }: Experiment,
  running: readonly Experiment[],
  { scope, flags }: { scope: QueryScope; flags: readonly Flag[] },
): Promise<OverlappingExperiment[]> {
  const readers = await readersOf(
    flag,
    running.map((one) => one.flag),
    scope,
  )
  const personsOf = (wanted: string) => readers.get(wanted) ?? 0
  const whole = personsOf(flag)
  const flagNamed = (key: string) => flags.find((one) => one.key === key)
  return running.map((one) => {
    const isSeparated = areSeparated(flagNamed(flag), flagNamed(one.flag))
    const persons = isSeparated ? 0 : personsOf(one.flag)
    const share = whole === 0 ? null : persons / whole
    return { id: one.id, name: one.name, flag: one.flag, persons, share, isSeparated }
  })
}

/** Independent assignments do not bias each other; only effects that depend on each other do. */
export function overlapCheck(overlaps: readonly OverlappingExperiment[]): ReadinessCheck {
  const name = 'overlap'
  if (overlaps.length === 0) return { name, severity: 'passed', sentence: 'No other experiment is running.' }
  if (overlaps.every(({ isSeparated }) => isSeparated))
    return {
      name,
      severity: 'passed',
      sentence: `Slices of a layer keep its visitors apart from those of ${overlaps.map((one) => `“${one.name}”`).join(', ')}.`,
    }
  const shared = overlaps.filter(({ persons }) => persons > 0)
  if (shared.length === 0)
    return { name, severity: 'passed', sentence: 'No one reads the flags of other running experiments too.' }
  const named = shared
    .map(({ name: other, share }) => `“${other}” (${Math.round(100 * (share ?? 0))}%)`)
    .join(', ')
  return {
    name,
    severity: 'advice',
    sentence: `The same people are in ${named}. Variants are assigned independently, so neither result is biased unless the two changes act on each other.`,
  }
}
