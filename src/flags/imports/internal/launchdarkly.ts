import { z } from 'zod'
import type { Json } from '#events/event'
import type { Condition, ConditionSet } from '../../flag'
import {
  conditionSet,
  contains,
  endsWith,
  exactPercentage,
  idSets,
  isOneOf,
  isSet,
  matches,
  notesOn,
  personId,
  startsWith,
  type Subject,
  translated,
  type TranslatedFlag,
  UnreadableFlagsError,
  UntranslatableFlagError,
  Values,
} from '../translation'

const clause = z.object({
  attribute: z.string().default(''),
  op: z.string(),
  values: z.array(z.json()),
  negate: z.boolean().default(false),
  contextKind: z.string().default('user'),
})
type Clause = z.infer<typeof clause>

const served = z.object({
  variation: z.number().nullish(),
  rollout: z
    .object({
      kind: z.string().nullish(),
      bucketBy: z.string().nullish(),
      contextKind: z.string().nullish(),
      variations: z.array(z.object({ variation: z.number(), weight: z.number() })),
    })
    .nullish(),
})
type Served = z.infer<typeof served>

const target = z.object({
  values: z.array(z.string()).default([]),
  variation: z.number(),
  contextKind: z.string().default('user'),
})

const settingShape = z.object({
  on: z.boolean(),
  targets: z.array(target).default([]),
  contextTargets: z.array(target).default([]),
  rules: z.array(served.extend({ clauses: z.array(clause), description: z.string().nullish() })).default([]),
  fallthrough: served.default({}),
  offVariation: z.number().nullish(),
  prerequisites: z.array(z.object({ key: z.string(), variation: z.number() })).default([]),
})
type Setting = z.infer<typeof settingShape>

const flagShape = z.object({
  key: z.string(),
  name: z.string().default(''),
  description: z.string().default(''),
  tags: z.array(z.string()).default([]),
  variations: z.array(z.object({ value: z.json(), name: z.string().nullish() })),
  environments: z.record(z.string(), settingShape),
})
type LaunchDarklyFlag = z.infer<typeof flagShape>

const exported = z.union([
  z.object({ items: z.array(flagShape) }).transform(({ items }) => items),
  z.array(flagShape),
  flagShape.transform((one) => [one]),
])

/** Translates what LaunchDarkly's API answers at /api/v2/flags/<project>?summary=0. */
export function readLaunchDarkly(json: unknown, environment: string): TranslatedFlag[] {
  const parsed = exported.safeParse(json)
  if (!parsed.success)
    throw new UnreadableFlagsError(
      'These are no flags of LaunchDarkly. Give what its API answers at /api/v2/flags/<project>?summary=0.',
    )
  const all = new Map(parsed.data.map((one) => [one.key, one]))
  return parsed.data.map((one) =>
    translated({ key: one.key, description: one.description || one.name, tags: one.tags }, () => {
      const chosen = Object.hasOwn(one.environments, environment) ? one.environments[environment] : undefined
      if (!chosen) throw new UntranslatableFlagError(`has no environment “${environment}”`)
      return new FlagTranslation(one, chosen, all).translate()
    }),
  )
}

class FlagTranslation {
  private readonly values: Values | undefined
  private readonly required: readonly Condition[]

  constructor(
    private readonly flag: LaunchDarklyFlag,
    private readonly setting: Setting,
    all: ReadonlyMap<string, LaunchDarklyFlag>,
  ) {
    this.values = isSwitch(flag)
      ? undefined
      : new Values(
          flag.variations.map(({ value }) => value),
          flag.variations.map(({ name }) => name ?? undefined),
        )
    this.required = setting.prerequisites.map((one) => requirement(one, all))
  }

  translate(): Partial<TranslatedFlag> {
    const { on, targets, contextTargets, rules, fallthrough, offVariation, prerequisites } = this.setting
    const offValue = this.valueAt(offVariation ?? undefined)
    if (prerequisites.length > 0 && offValue !== false && offValue !== null)
      throw new UntranslatableFlagError('serves a value to those who do not get the flag that it requires')
    if (!on && offValue === true) throw new UntranslatableFlagError('serves true while it is off')
    const sets = [
      ...[...targets, ...contextTargets].flatMap((one) => this.targetSets(one)),
      ...rules.map((rule) => this.setFor(rule, rule.clauses.flatMap(conditionsOf), rule.description ?? '')),
      this.setFor(fallthrough, []),
    ]
    const isValueOff = !on && this.values !== undefined && offValue !== null
    return {
      ...this.values?.parts(),
      isOn: on,
      conditions: sets,
      notes: [
        ...notesOn(sets, this.values?.isShared ?? false),
        ...(isValueOff
          ? [`While it is off, LaunchDarkly serves ${JSON.stringify(offValue)}; here it has no value.`]
          : []),
      ],
    }
  }

  private valueAt(index: number | undefined): Json {
    return index === undefined ? null : (this.flag.variations[index]?.value ?? null)
  }

  private targetSets({ values, variation, contextKind }: z.infer<typeof target>): ConditionSet[] {
    if (values.length === 0) return []
    if (contextKind !== 'user')
      throw new UntranslatableFlagError(`names single contexts of the kind “${contextKind}”`)
    return idSets(values, this.servedBy({ variation })).map((set) => ({
      ...set,
      conditions: [...this.required, ...set.conditions],
    }))
  }

  private setFor(rule: Served, conditions: readonly Condition[], description = ''): ConditionSet {
    const all = [...this.required, ...conditions]
    return conditionSet({ conditions: all, description, ...this.servedBy(rule) })
  }

  /** The first rule that fits decides, even if it gives nothing. */
  private servedBy({ variation, rollout }: Served): Partial<ConditionSet> {
    if (rollout) return this.sharedBy(rollout)
    const value = this.valueAt(variation ?? undefined)
    if (this.values) return { variant: this.values.keyOf(value) }
    return value === true ? {} : { percentage: 0, isLast: true }
  }

  private sharedBy({ kind, bucketBy, contextKind, variations }: NonNullable<Served['rollout']>) {
    if (kind === 'experiment') throw new UntranslatableFlagError('is part of an experiment')
    if ((bucketBy ?? 'key') !== 'key' || (contextKind ?? 'user') !== 'user')
      throw new UntranslatableFlagError('shares out by something other than the person')
    const parts = variations.map(({ variation, weight }) => ({
      value: this.valueAt(variation),
      percentage: weight / 1000,
    }))
    if (this.values) {
      this.values.share(parts)
      return {}
    }
    const share = parts.filter(({ value }) => value === true).reduce((sum, one) => sum + one.percentage, 0)
    return { percentage: exactPercentage(share), isLast: true }
  }
}

const isSwitch = ({ variations }: LaunchDarklyFlag): boolean =>
  variations.every(({ value }) => typeof value === 'boolean')

function requirement(
  { key, variation }: Setting['prerequisites'][number],
  all: ReadonlyMap<string, LaunchDarklyFlag>,
): Condition {
  const other = all.get(key)
  if (!other) throw new UntranslatableFlagError(`requires the flag “${key}”, which is not among them`)
  const value = other.variations[variation]?.value ?? null
  const names = other.variations.map(({ name }) => name ?? undefined)
  const values = new Values(
    other.variations.map((one) => one.value),
    names,
  )
  return { type: 'flag', flag: key, value: isSwitch(other) ? value === true : values.keyOf(value) }
}

type TextualOperator = (subject: Subject, values: readonly string[], isNegated: boolean) => Condition

const textual = {
  in: isOneOf,
  contains,
  startsWith,
  endsWith,
  matches: (subject, values, isNegated) =>
    matches(subject, values.map((one) => `(?:${one})`).join('|'), isNegated),
} satisfies Record<string, TextualOperator>

/** The least or the greatest of several numbers decides, since any may fit. */
const numeric = {
  lessThan: ['lt', Math.max],
  lessThanOrEqual: ['lte', Math.max],
  greaterThan: ['gt', Math.min],
  greaterThanOrEqual: ['gte', Math.min],
} as const
const versions = {
  semVerEqual: 'semver_eq',
  semVerLessThan: 'semver_lt',
  semVerGreaterThan: 'semver_gt',
} as const

const has = <Table extends object>(table: Table, name: string): name is string & keyof Table =>
  Object.hasOwn(table, name)

/** A clause on a property that is absent never fits, also if it is negated. */
function conditionsOf(one: Clause): Condition[] {
  const subject = subjectOf(one)
  const { op, values, negate } = one
  if (has(textual, op)) {
    return [textual[op](subject, values.map(textOf), negate), ...(negate ? [isSet(subject)] : [])]
  }
  if (negate) throw new UntranslatableFlagError(`uses “not” with the operator “${op}”`)
  if (has(numeric, op)) {
    const [operator, choose] = numeric[op]
    if (!values.every((value) => typeof value === 'number'))
      throw new UntranslatableFlagError('compares a number with a text')
    return [{ ...subject, operator, value: choose(...values) }]
  }
  const [version, ...more] = values
  const isWhole = more.length === 0 && typeof version === 'string' && /^\d+\.\d+\.\d+$/.test(version)
  if (isWhole && has(versions, op)) return [{ ...subject, operator: versions[op], value: version }]
  throw new UntranslatableFlagError(
    op === 'segmentMatch' ? 'asks for a segment; make a cohort of it' : `uses the operator “${op}”`,
  )
}

function textOf(value: Json): string {
  if (typeof value === 'object') throw new UntranslatableFlagError('compares with a list or an object')
  return String(value)
}

function subjectOf({ attribute, contextKind, op }: Clause): Subject {
  if (op === 'segmentMatch') return personId
  if (attribute.startsWith('/') || attribute === 'kind' || attribute === 'anonymous')
    throw new UntranslatableFlagError(`asks for the attribute “${attribute}”`)
  if (contextKind === 'user') return attribute === 'key' ? personId : { type: 'person', key: attribute }
  if (attribute === 'key')
    throw new UntranslatableFlagError(`asks for the key of a context of the kind “${contextKind}”`)
  return { type: 'group', group: contextKind, key: attribute }
}
