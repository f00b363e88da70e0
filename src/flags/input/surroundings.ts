import type { Problem } from '../../projects/problems'
import { dependenciesOf, objectionsAmong } from './dependencies'
import { type Flag, mainEnvironment, type Setting } from '../flag'
import { objectionsTo } from './objections'
import { environmentsOf, flagsOf, holdoutsOf, type Source } from '../store'

/** What a project has that its flags can name. */
export interface Surroundings {
  /** By key, archived ones among them: their keys stay theirs. */
  flags: ReadonlyMap<string, Flag>
  environments: ReadonlySet<string>
  cohorts: ReadonlySet<string>
  /** How many each holds out, by number. */
  holdouts: ReadonlyMap<number, number>
}

export async function surroundingsIn(
  source: Source,
  projectId: number,
  cohorts: ReadonlySet<string>,
): Promise<Surroundings> {
  const flags = await flagsOf(source, projectId)
  const environments = await environmentsOf(source, projectId)
  const holdouts = await holdoutsOf(source, projectId)
  return {
    flags: new Map(flags.map((flag) => [flag.key, flag])),
    environments: new Set([mainEnvironment, ...environments.map(({ name }) => name)]),
    cohorts,
    holdouts: new Map(holdouts.map(({ id, percentage }) => [id, percentage])),
  }
}

export const liveIn = ({ flags }: Pick<Surroundings, 'flags'>): Flag[] =>
  [...flags.values()].filter(({ archivedAt }) => !archivedAt)

/** Says what keeps a flag from being as it is, among all the others. Made once where many are looked at. */
export function inspectorOf(around: Surroundings): (flag: Flag) => Problem[] {
  const live = new Map(liveIn(around).map((flag) => [flag.key, flag]))
  const dependents = dependentsAmong([...live.values()])
  return (flag) => [
    ...objectionsTo(flag),
    ...Object.entries(flag.environments).flatMap(([name, setting]) => unknownIn(name, setting, around)),
    ...objectionsAmong(flag, neededBy(flag, live)),
    ...missedBy(flag, dependents.get(flag.key) ?? []),
  ]
}

/** By the key of what they depend on. */
function dependentsAmong(flags: readonly Flag[]): ReadonlyMap<string, Flag[]> {
  const dependents = new Map<string, Flag[]>()
  for (const flag of flags) {
    for (const key of dependenciesOf(flag)) dependents.set(key, [...(dependents.get(key) ?? []), flag])
  }
  return dependents
}

/** All that it depends on, and all that those depend on. */
function neededBy(flag: Flag, live: ReadonlyMap<string, Flag>): Flag[] {
  const found = new Map<string, Flag>()
  const open = [...dependenciesOf(flag)]
  for (const key of open) {
    const needed = live.get(key)
    if (!needed || found.has(key) || key === flag.key) continue
    found.set(key, needed)
    open.push(...dependenciesOf(needed))
  }
  return [...found.values()]
}

function unknownIn(name: string, { conditions, holdout }: Setting, around: Surroundings): Problem[] {
  const field = `environments.${name}`
  if (!around.environments.has(name))
    return [{ field, message: `There is no environment “${name}” in this project. Make it first.` }]
  const cohorts = conditions
    .flatMap((set) => set.conditions)
    .flatMap((one) => (one.type === 'cohort' && !around.cohorts.has(one.cohort) ? [one.cohort] : []))
  const unknown = cohorts.map((id) => ({
    field: `${field}.conditions`,
    message: `A condition asks for the cohort “${id}”, which this project does not have.`,
  }))
  if (!holdout || around.holdouts.has(holdout.id)) return unknown
  const message = `There is no holdout ${holdout.id} in this project. Make it first.`
  return [...unknown, { field: `${field}.holdout`, message }]
}

/** Others may ask whether this one gives a variant; then it has to have it. */
function missedBy({ key, variants }: Flag, dependents: readonly Flag[]): Problem[] {
  const known = new Set(variants.map((variant) => variant.key))
  return dependents.flatMap((other) =>
    variantsAskedOf(key, other)
      .filter((value) => other.key !== key && !known.has(value))
      .map((value) => ({
        field: 'variants',
        message: `“${other.key}” asks whether this flag gives “${value}”. Change that one first.`,
      })),
  )
}

const variantsAskedOf = (key: string, { environments }: Flag): string[] =>
  Object.values(environments)
    .flatMap(({ conditions }) => conditions)
    .flatMap(({ conditions }) => conditions)
    .flatMap((one) =>
      one.type === 'flag' && one.flag === key && typeof one.value === 'string' ? [one.value] : [],
    )

export const dependentsOn = (key: string, around: Surroundings): Flag[] =>
  liveIn(around).filter((other) => other.key !== key && dependenciesOf(other).has(key))
