import type { z } from 'zod'
import type { Unchanging } from '#collection/unchanging'
import type { FilterAnswer } from '#filters/filter'
import { bucketOf, holdoutBucketOf, layerBucketOf, variantBucketOf } from './bucket'
import type { CompiledCondition, CompiledFlag, CompiledFlags, CompiledSet } from './compile'
import { conditionsHold, decideIndexes } from './internal/decide'
import type { explanationSchema } from './decision-schema'
import { type EvaluationContext, type Decision, reasonCodes } from './decision'
import { Bucketing } from './internal/bucketing'
import type { Condition, Flag } from './flag'
import { Visitor } from './internal/visitor'

export type Explanation = Unchanging<z.infer<typeof explanationSchema>, Condition>
export type ExplainedSet = Explanation['sets'][number]

export function explain(
  compiled: CompiledFlags,
  key: string,
  context: EvaluationContext,
): Explanation | undefined {
  const place = compiled.indexes.get(key)
  const flag = place === undefined ? undefined : compiled.flags[place]
  if (place === undefined || !flag) return undefined
  const visitor = new Visitor(compiled, context)
  decideIndexes([place], visitor)
  const decision = visitor.decided[place]
  return decision && explained(flag, decision, visitor)
}

function explained(flag: CompiledFlag, decision: Decision, visitor: Visitor): Explanation {
  const id = visitor.isIdKnown(flag.flag) ? visitor.idFor(flag.flag) : undefined
  const sets = flag.sets.map((set, place) =>
    explainedSet(set, isReached(decision, place, flag), flag, id, visitor),
  )
  const found = {
    decision,
    bucketedBy: id,
    bucket: id === undefined ? undefined : bucketOf(flag.flag.key, id),
    variantBucket:
      id === undefined || flag.shares.length === 0 ? undefined : variantBucketOf(flag.flag.key, id),
    holdoutBucket: id === undefined || !flag.holdout ? undefined : holdoutBucketOf(id),
    layerBucket: id === undefined || !flag.layer ? undefined : layerBucketOf(flag.layer.id, id),
    sets,
    dependencies: decidedBefore(flag, visitor),
  }
  return { ...found, steps: stepsOf(flag, found, visitor) }
}

/** A decision before any set reaches none; a decision by a set does not reach later ones. */
function isReached(
  { reason: { code, condition } }: Decision,
  place: number,
  { sets }: CompiledFlag,
): boolean {
  const decides =
    code === 'condition_match' || (code === 'out_of_rollout_bound' && sets[condition ?? 0]?.isLast)
  if (decides) return condition !== undefined && place <= condition
  return code === 'no_condition_match' || code === 'out_of_rollout_bound' || code === 'undecided'
}

function explainedSet(
  set: CompiledSet,
  reached: boolean,
  flag: CompiledFlag,
  id: string | undefined,
  visitor: Visitor,
): ExplainedSet {
  return {
    isReached: reached,
    holds: conditionsHold(set, visitor),
    isInPercentage: id !== undefined && new Bucketing(flag, id).isIn(set.percentage),
    conditions: set.conditions.map((one) => ({ condition: one.condition, answer: answerTo(one, visitor) })),
  }
}

const answerTo = (one: CompiledCondition, visitor: Visitor): FilterAnswer => one.holds(visitor)

function decidedBefore(
  { dependencies }: CompiledFlag,
  { compiled, decided }: Visitor,
): Record<string, Decision> {
  return Object.fromEntries(
    dependencies.flatMap((place) => {
      const [key, decision] = [compiled.flags[place]?.flag.key, decided[place]]
      return key !== undefined && decision ? [[key, decision]] : []
    }),
  )
}

type ExplainedDecision = Omit<Explanation, 'steps'>

function stepsOf(flag: CompiledFlag, found: ExplainedDecision, visitor: Visitor): string[] {
  const { decision, sets } = found
  if (flag.presetReason) return [reasonCodes[decision.reason.code], conclusion(decision)]
  return [
    countedAs(flag.flag, found, visitor),
    ...holdoutStep(flag, found),
    ...layerStep(flag, found),
    ...sets.flatMap((set, place) => (set.isReached ? [setStep(set, place, flag, found)] : [])),
    conclusion(decision),
  ]
}

function countedAs(
  { bucketBy, key }: Flag,
  { bucketedBy, bucket }: ExplainedDecision,
  { context }: Visitor,
): string {
  if (bucketedBy === undefined)
    return bucketBy.by === 'group' ? `There is no ${bucketBy.group} to count by.` : reasonCodes.undecided
  const as = bucketedBy === context.distinctId ? 'by their own id' : `as “${bucketedBy}”`
  return `They are counted ${as}, which for ${key} is ${percent(bucket)} of the way from 0 to 100%.`
}

function holdoutStep({ holdout }: CompiledFlag, { holdoutBucket, decision }: ExplainedDecision): string[] {
  if (!holdout) return []
  const isHeldOut = decision.reason.code === 'holdout_condition_value'
  return [
    `Holdout ${holdout.id} takes the first ${holdout.percentage}%; they are at ${percent(holdoutBucket)}, so they are ` +
      `${isHeldOut ? 'held out' : 'not held out'}.`,
  ]
}

function layerStep({ layer }: CompiledFlag, { layerBucket, decision }: ExplainedDecision): string[] {
  const { code } = decision.reason
  if (!layer || code === 'holdout_condition_value' || code === 'super_condition_value') return []
  const isIn = code !== 'outside_layer_slice'
  return [
    `The flag has the slice of layer ${layer.id} from ${layer.from}% to ${layer.until}%; they are at ` +
      `${percent(layerBucket)}, so they are ${isIn ? 'in' : 'not in'} it.`,
  ]
}

function setStep(
  set: ExplainedSet,
  place: number,
  flag: CompiledFlag,
  { bucket }: ExplainedDecision,
): string {
  const name = `Set ${place + 1}`
  if (set.holds === 'unknown') return `${name}: its data could not be loaded.`
  if (!set.holds) return `${name} does not match.`
  const share = flag.sets[place]?.percentage ?? 0
  if (share === 100) return `${name} matches, with a rollout of 100%.`
  const where = `its rollout is ${share}%; the bucket is ${percent(bucket)}`
  return `${name} matches; ${where}, so the visitor is ${set.isInPercentage ? 'in' : 'out'}.`
}

function conclusion({ value, reason }: Decision): string {
  const what = value === true ? 'on' : value === false ? 'off' : `“${value}”`
  return `They get ${what}. ${reasonCodes[reason.code]}`
}

const percent = (bucket = 0): string => `${(bucket * 100).toFixed(2)}%`
