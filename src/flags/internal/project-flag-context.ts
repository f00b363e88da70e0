import type { TableSource } from '#store/store'
import type { InputProblem } from '#projects/problems'
import { dependenciesOf, objectionsAmong } from './flag-dependencies'
import { type Flag, type FlagSetting, type LayerSlice, mainEnvironment } from '../flag'
import { layersOf } from '../layers/store'
import { objectionsTo } from './objections'
import { environmentsOf, flagsOf } from '../store'
import { holdoutsOf } from './stored-holdouts'

/** The parts of a project that its flags can refer to. */
export interface ProjectFlagContext {
  /** Flags by key, including archived ones, whose keys stay reserved. */
  flags: ReadonlyMap<string, Flag>
  environments: ReadonlySet<string>
  cohorts: ReadonlySet<string>
  /** The percentages of holdouts, by number. */
  holdouts: ReadonlyMap<number, number>
  /** The numbers of layers. */
  layers: ReadonlySet<number>
  /** The names of running experiments, by the key of their flag. */
  experiments: ReadonlyMap<string, string>
}

export async function projectFlagContextOf(
  store: TableSource,
  projectId: number,
  known: Pick<ProjectFlagContext, 'cohorts' | 'experiments'>,
): Promise<ProjectFlagContext> {
  const flags = await flagsOf(store, projectId)
  const environments = await environmentsOf(store, projectId)
  const holdouts = await holdoutsOf(store, projectId)
  const layers = await layersOf(store, projectId)
  return {
    ...known,
    flags: new Map(flags.map((flag) => [flag.key, flag])),
    environments: new Set([mainEnvironment, ...environments.map(({ name }) => name)]),
    holdouts: new Map(holdouts.map(({ id, percentage }) => [id, percentage])),
    layers: new Set(layers.map(({ id }) => id)),
  }
}

export const liveFlagsIn = ({ flags }: Pick<ProjectFlagContext, 'flags'>): Flag[] =>
  [...flags.values()].filter(({ archivedAt }) => !archivedAt)

/** Creates a function that checks a flag against all others of the project. Create it once to check many flags. */
export function problemFinderFor(context: ProjectFlagContext): (flag: Flag) => InputProblem[] {
  // the flag that a survey keeps changes with the right to the survey alone, so no other flag depends on it
  const own = liveFlagsIn(context).filter(({ keptBySurvey }) => keptBySurvey === undefined)
  const live = new Map(own.map((flag) => [flag.key, flag]))
  const dependents = dependentsAmong([...live.values()])
  return (flag) => [
    ...objectionsTo(flag),
    ...Object.entries(flag.environments).flatMap(([name, setting]) =>
      unknownReferenceProblems(name, setting, context),
    ),
    ...layerProblems(flag, [...live.values()], context.layers),
    ...objectionsAmong(flag, neededBy(flag, live)),
    ...missingVariantProblems(flag, dependents.get(flag.key) ?? []),
  ]
}

/** Maps flags by the key of the flag that they depend on. */
function dependentsAmong(flags: readonly Flag[]): ReadonlyMap<string, Flag[]> {
  const dependents = new Map<string, Flag[]>()
  for (const flag of flags) {
    for (const key of dependenciesOf(flag)) dependents.set(key, [...(dependents.get(key) ?? []), flag])
  }
  return dependents
}

/** Returns the flags that it depends on, directly and indirectly. */
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

function unknownReferenceProblems(
  name: string,
  { conditions, holdout }: FlagSetting,
  context: ProjectFlagContext,
): InputProblem[] {
  const field = `environments.${name}`
  if (!context.environments.has(name))
    return [{ field, message: `There is no environment “${name}” in this project. Make it first.` }]
  const cohorts = conditions
    .flatMap((set) => set.conditions)
    .flatMap((one) => (one.type === 'cohort' && !context.cohorts.has(one.cohort) ? [one.cohort] : []))
  const unknown = cohorts.map((id) => ({
    field: `${field}.conditions`,
    message: `A condition asks for the cohort “${id}”, which this project does not have.`,
  }))
  if (!holdout || context.holdouts.has(holdout.id)) return unknown
  const message = `There is no holdout ${holdout.id} in this project. Make it first.`
  return [...unknown, { field: `${field}.holdout`, message }]
}

/** If another flag tests for a variant of this one, it must have that variant. */
function missingVariantProblems({ key, variants }: Flag, dependents: readonly Flag[]): InputProblem[] {
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

/** Says why a flag cannot lose what an experiment compares; undefined if no experiment runs on it. */
export function experimentObjection(
  key: string,
  { experiments }: Pick<ProjectFlagContext, 'experiments'>,
): string | undefined {
  const name = experiments.get(key)
  return name === undefined
    ? undefined
    : `The experiment “${name}” runs on this flag. End it, or ship a variant, first.`
}

/** Says why a flag must keep its variants; undefined if it keeps them, or may lose some. */
export function lostVariantObjection(
  { key, variants }: Flag,
  before: Flag | undefined,
  context: Pick<ProjectFlagContext, 'experiments'>,
): string | undefined {
  const kept = new Set(variants.map((variant) => variant.key))
  return before?.variants.every((variant) => kept.has(variant.key)) === false
    ? experimentObjection(key, context)
    : undefined
}

export const dependentsOn = (key: string, context: ProjectFlagContext): Flag[] =>
  liveFlagsIn(context).filter((other) => other.key !== key && dependenciesOf(other).has(key))

/** Finds why the slices of a flag would not keep its visitors apart from those of the layer’s other flags. */
function layerProblems(flag: Flag, others: readonly Flag[], layers: ReadonlySet<number>): InputProblem[] {
  return Object.entries(flag.environments).flatMap(([name, { layer }]) => {
    const message = layer && problemWith(layer, flag, { environment: name, others, layers })
    return message === undefined ? [] : [{ field: `environments.${name}.layer`, message }]
  })
}

function problemWith(
  slice: LayerSlice,
  flag: Flag,
  {
    environment,
    others,
    layers,
  }: { environment: string; others: readonly Flag[]; layers: ReadonlySet<number> },
): string | undefined {
  if (!layers.has(slice.id)) return `There is no layer ${slice.id} in this project. Make it first.`
  // the id that a flag keeps is another one for each flag, so that one person would be in two slices
  if (flag.keepsThroughSignIn)
    return 'A flag with a slice of a layer cannot keep decisions through sign-in: turn one of them off.'
  for (const other of others) {
    const taken = other.environments[environment]?.layer
    if (other.key === flag.key || taken?.id !== slice.id) continue
    if (JSON.stringify(other.bucketBy) !== JSON.stringify(flag.bucketBy))
      return `“${other.key}” is decided by something else than this flag. The flags of a layer share persons, devices or one type of group.`
    if (taken.from < slice.until && slice.from < taken.until)
      return `“${other.key}” has ${taken.from} to ${taken.until} percent of this layer. Choose a slice beside it.`
  }
  return undefined
}
