import type { InputProblem } from '#projects/problems'
import type { Flag, LayerSlice } from '../flag'

/** Finds why the slices of a flag would not keep its visitors apart from those of the layer’s other flags. */
export function layerProblems(
  flag: Flag,
  others: readonly Flag[],
  layers: ReadonlySet<number>,
): InputProblem[] {
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
