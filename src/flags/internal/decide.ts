import type { FilterAnswer } from '#filters/filter'
import { holdoutBucketOf, isInSlice, isWithinShare, layerBucketOf } from '../bucket'
import type { CompiledFlag, CompiledFlags, CompiledSet } from '../compile'
import type { EvaluationContext, Decision } from '../decision'
import { type Flag, isForBrowsersOnly, isForServersOnly } from '../flag'
import { Bucketing } from './bucketing'
import { type InternedDecisions, withoutVariant } from './interned-decisions'
import { Visitor } from './visitor'

/** The conditions on which decisions a client may receive. */
export interface DecideOptions {
  /** A page that is rendered here receives every decision: the server chooses what the visitor sees of it. */
  asks: 'browser' | 'server' | 'page'
  /** The flags to decide; all that are not archived if undefined. */
  flagKeys?: readonly string[] | undefined
  /** The client's contexts. Flags with contexts are served only to clients that share one. */
  contexts?: readonly string[] | undefined
}

export function decideAll(
  compiled: CompiledFlags,
  context: EvaluationContext,
  options: DecideOptions,
): Decision[] {
  const visitor = new Visitor(compiled, context, options.contexts)
  if (options.flagKeys) return decideChosen(options.flagKeys, visitor, options)
  const decisions: Decision[] = []
  for (const flag of compiled.flags) {
    const decision = decideNext(flag, visitor)
    if (!flag.flag.archivedAt && isServed(flag.flag, visitor, options)) decisions.push(decision)
  }
  return decisions
}

function decideChosen(keys: readonly string[], visitor: Visitor, options: DecideOptions): Decision[] {
  const indexes = [...new Set(keys)].flatMap((key) => visitor.compiled.indexes.get(key) ?? [])
  decideIndexes(indexes, visitor)
  return indexes
    .flatMap((index) => visitor.decided[index] ?? [])
    .filter(({ flag }) => isServed(flag, visitor, options))
}

/** Decides one flag, whether it is served to browsers or servers: for pages rendered here and for explanations. */
export function decideOne(
  compiled: CompiledFlags,
  key: string,
  context: EvaluationContext,
): Decision | undefined {
  const index = compiled.indexes.get(key)
  if (index === undefined) return undefined
  const visitor = new Visitor(compiled, context)
  decideIndexes([index], visitor)
  return visitor.decided[index]
}

/** Decides these flags after the flags they depend on. */
export function decideIndexes(indexes: readonly number[], visitor: Visitor): void {
  const { flags } = visitor.compiled
  const needed = new Set(indexes)
  for (const index of needed) for (const before of flags[index]?.dependencies ?? []) needed.add(before)
  for (const index of [...needed].toSorted((one, other) => one - other)) {
    const flag = flags[index]
    if (flag) visitor.decided[index] = decide(flag, visitor)
  }
}

function decideNext(flag: CompiledFlag, visitor: Visitor): Decision {
  const decision = decide(flag, visitor)
  visitor.decided.push(decision)
  return decision
}

const isServed = (flag: Flag, visitor: Visitor, { asks }: DecideOptions): boolean =>
  !isWithheld[asks](flag) && visitor.shares(flag)

const isWithheld: Record<DecideOptions['asks'], (flag: Flag) => boolean> = {
  browser: isForServersOnly,
  server: isForBrowsersOnly,
  page: () => false,
}

/** The order matters: preset decisions, the bucketing id, opt-ins, holdouts, layers, and then the condition sets in turn. */
function decide(flag: CompiledFlag, visitor: Visitor): Decision {
  const { decisions, presetReason } = flag
  if (presetReason) return decisions.off(presetReason)
  if (!visitor.isIdKnown(flag.flag)) return decisions.off('undecided')
  const id = visitor.idFor(flag.flag)
  if (id === undefined) return decisions.off('no_group_type')
  const bucketing = new Bucketing(flag, id)
  return (
    byEnrolment(flag, bucketing, visitor) ??
    byHoldout(flag, id) ??
    byLayer(flag, id) ??
    bySets(flag, bucketing, visitor)
  )
}

function byEnrolment(
  { flag, decisions }: CompiledFlag,
  bucketing: Bucketing,
  visitor: Visitor,
): Decision | undefined {
  if (!flag.earlyAccess) return undefined
  const choice = visitor.choice(flag.key)
  if (choice === undefined) return undefined
  if (choice === 'unknown') return decisions.off('undecided')
  return choice
    ? decisions.on('super_condition_value', bucketing.variant)
    : decisions.off('super_condition_value')
}

function byHoldout({ holdout, decisions }: CompiledFlag, id: string): Decision | undefined {
  if (!holdout) return undefined
  const isHeldOut = holdout.percentage === 100 || isWithinShare(holdoutBucketOf(id), holdout.percentage)
  return isHeldOut ? decisions.heldOut(holdout.id) : undefined
}

function byLayer({ layer, decisions }: CompiledFlag, id: string): Decision | undefined {
  if (!layer || isInSlice(layerBucketOf(layer.id, id), layer)) return undefined
  return decisions.off('outside_layer_slice')
}

/** The flag is off, and the next set is evaluated. It is an index below those of variants. */
const offVariant = withoutVariant - 1
const nextSet = offVariant - 1

/**
 * The first set that matches decides. A set that cannot be evaluated leaves the flag undecided, unless it and the
 * sets after it would all give the same value.
 */
function bySets({ decisions, sets }: CompiledFlag, bucketing: Bucketing, visitor: Visitor): Decision {
  let undecidedVariant: number | undefined
  let firstOutside: number | undefined
  let index = -1
  for (const set of sets) {
    index++
    const answer = conditionsHold(set, visitor)
    if (answer === false) continue
    const given = variantGiven(bucketing, set)
    if (given === nextSet) {
      if (answer === true) firstOutside ??= index
      continue
    }
    if (undecidedVariant !== undefined && undecidedVariant !== given) return decisions.off('undecided')
    if (answer === true) return decisionFor(decisions, given, index)
    undecidedVariant = given
  }
  return withoutMatch(decisions, undecidedVariant, firstOutside)
}

function variantGiven(bucketing: Bucketing, { percentage, variant, isLast }: CompiledSet): number {
  if (bucketing.isIn(percentage)) return variant ?? bucketing.variant
  return isLast ? offVariant : nextSet
}

function withoutMatch(
  decisions: InternedDecisions,
  undecidedVariant: number | undefined,
  firstOutside: number | undefined,
): Decision {
  if (undecidedVariant !== undefined && undecidedVariant !== offVariant) return decisions.off('undecided')
  return firstOutside === undefined
    ? decisions.off('no_condition_match')
    : decisions.off('out_of_rollout_bound', firstOutside)
}

const decisionFor = (decisions: InternedDecisions, given: number, index: number): Decision =>
  given === offVariant
    ? decisions.off('out_of_rollout_bound', index)
    : decisions.on('condition_match', given, index)

/** Whether all of a set's conditions hold. */
export function conditionsHold({ conditions }: CompiledSet, visitor: Visitor): FilterAnswer {
  let all: FilterAnswer = true
  for (const condition of conditions) {
    const one = condition.holds(visitor)
    if (one === false) return false
    if (one === 'unknown') all = one
  }
  return all
}
