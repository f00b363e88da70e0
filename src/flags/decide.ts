import type { Answer } from '../filters/filter'
import { holdoutBucketOf, isWithinShare } from './bucket'
import type { CompiledFlag, CompiledFlags, CompiledSet } from './compile'
import type { Asked, Decision } from './decision'
import type { Flag } from './flag'
import { Draw } from './deciding/draw'
import { type Sayings, withoutVariant } from './deciding/sayings'
import { Visitor } from './deciding/visitor'

export { compileFlags } from './compile'

/** Which decisions somebody may have. */
export interface Wish {
  /** A page that is rendered here may be told everything: it decides itself what of it is shown. */
  asks: 'browser' | 'server' | 'page'
  /** Only these; all that are not archived when undefined. */
  flagKeys?: readonly string[] | undefined
  /** Flags that name contexts are given to those alone that share one. */
  contexts?: readonly string[] | undefined
}

export function decideAll(compiled: CompiledFlags, asked: Asked, wish: Wish): Decision[] {
  const visitor = new Visitor(compiled, asked, wish.contexts)
  if (wish.flagKeys) return chosen(wish.flagKeys, visitor, wish)
  const decisions: Decision[] = []
  for (const flag of compiled.flags) {
    const decision = decideNext(flag, visitor)
    if (!flag.flag.archivedAt && isServed(flag.flag, visitor, wish)) decisions.push(decision)
  }
  return decisions
}

function chosen(keys: readonly string[], visitor: Visitor, wish: Wish): Decision[] {
  const places = [...new Set(keys)].flatMap((key) => visitor.compiled.places.get(key) ?? [])
  decideThese(places, visitor)
  return places
    .flatMap((place) => visitor.decided[place] ?? [])
    .filter(({ flag }) => isServed(flag, visitor, wish))
}

/** Whomever it is served to: for pages rendered here and for questions about one visitor. */
export function decideOne(compiled: CompiledFlags, key: string, asked: Asked): Decision | undefined {
  const place = compiled.places.get(key)
  if (place === undefined) return undefined
  const visitor = new Visitor(compiled, asked)
  decideThese([place], visitor)
  return visitor.decided[place]
}

/** With all that they depend on, which comes before them. */
export function decideThese(places: readonly number[], visitor: Visitor): void {
  const { flags } = visitor.compiled
  const needed = new Set(places)
  for (const place of needed) for (const before of flags[place]?.dependencies ?? []) needed.add(before)
  for (const place of [...needed].toSorted((one, other) => one - other)) {
    const flag = flags[place]
    if (flag) visitor.decided[place] = decide(flag, visitor)
  }
}

function decideNext(flag: CompiledFlag, visitor: Visitor): Decision {
  const decision = decide(flag, visitor)
  visitor.decided.push(decision)
  return decision
}

const isServed = (flag: Flag, visitor: Visitor, { asks }: Wish): boolean =>
  !isWithheld[asks](flag) && visitor.shares(flag)

const isWithheld: Record<Wish['asks'], (flag: Flag) => boolean> = {
  browser: ({ servedTo, isSecret }) => servedTo === 'servers' || isSecret,
  server: ({ servedTo }) => servedTo === 'browsers',
  page: () => false,
}

/** The order is the meaning: what stands, who it is, who chose, who is held out, and then the sets one by one. */
function decide(flag: CompiledFlag, visitor: Visitor): Decision {
  const { sayings, standing } = flag
  if (standing) return sayings.off(standing)
  if (!visitor.isIdKnown(flag.flag)) return sayings.off('undecided')
  const id = visitor.idFor(flag.flag)
  if (id === undefined) return sayings.off('no_group_type')
  const draw = new Draw(flag, id)
  return enrolled(flag, draw, visitor) ?? heldOut(flag, id) ?? bySets(flag, draw, visitor)
}

function enrolled({ flag, sayings }: CompiledFlag, draw: Draw, visitor: Visitor): Decision | undefined {
  if (!flag.earlyAccess) return undefined
  const choice = visitor.choice(flag.key)
  if (choice === undefined) return undefined
  if (choice === 'unknown') return sayings.off('undecided')
  return choice ? sayings.on('super_condition_value', draw.variant) : sayings.off('super_condition_value')
}

function heldOut({ holdout, sayings }: CompiledFlag, id: string): Decision | undefined {
  if (!holdout) return undefined
  const isHeldOut = holdout.percentage === 100 || isWithinShare(holdoutBucketOf(id), holdout.percentage)
  return isHeldOut ? sayings.heldOut(holdout.id) : undefined
}

/** Off, and on to the next set, as places among variants. */
const nothing = withoutVariant - 1
const passedOn = nothing - 1

/**
 * The first set that lets somebody in decides. One that nobody can answer keeps the flag undecided, unless everything that
 * comes of it and of those after it is the same.
 */
function bySets({ sayings, sets }: CompiledFlag, draw: Draw, visitor: Visitor): Decision {
  let open: number | undefined
  let outside: number | undefined
  let place = -1
  for (const set of sets) {
    place++
    const answer = answerOf(set, visitor)
    if (answer === false) continue
    const given = givenTo(draw, set)
    if (given === passedOn) {
      if (answer === true) outside ??= place
      continue
    }
    if (open !== undefined && open !== given) return sayings.off('undecided')
    if (answer === true) return said(sayings, given, place)
    open = given
  }
  return atTheEnd(sayings, open, outside)
}

function givenTo(draw: Draw, { percentage, variant, isLast }: CompiledSet): number {
  if (draw.isIn(percentage)) return variant ?? draw.variant
  return isLast ? nothing : passedOn
}

function atTheEnd(sayings: Sayings, open: number | undefined, outside: number | undefined): Decision {
  if (open !== undefined && open !== nothing) return sayings.off('undecided')
  return outside === undefined
    ? sayings.off('no_condition_match')
    : sayings.off('out_of_rollout_bound', outside)
}

const said = (sayings: Sayings, given: number, place: number): Decision =>
  given === nothing ? sayings.off('out_of_rollout_bound', place) : sayings.on('condition_match', given, place)

/** Whether all of a set's conditions hold. */
export function answerOf({ conditions }: CompiledSet, visitor: Visitor): Answer {
  let all: Answer = true
  for (const condition of conditions) {
    const one = condition.holds(visitor)
    if (one === false) return false
    if (one === 'unknown') all = one
  }
  return all
}
