import type { Json } from '#events/event'
import { equalPercentages, type Condition, type ConditionSet, type Variant } from '../flag'

/** A flag of another product in Tilth's words, or without its rules and with the reason. */
export interface TranslatedFlag {
  key: string
  description: string
  tags: readonly string[]
  kind: 'switch' | 'variants'
  variants: readonly Variant[]
  payloads: Readonly<Record<string, string>>
  isOn: boolean
  conditions: readonly ConditionSet[]
  /** Why its rules are left out; it is off then. */
  reasons: readonly string[]
  /** Differences that remain although its rules are here. */
  notes: readonly string[]
}

/** A rule that has no exact counterpart. Its message continues the sentence "It is off: it …". */
export class UntranslatableFlagError extends Error {}

/** A file that is no export of the product. */
export class UnreadableFlagsError extends Error {}

/** Translates the rules of a flag; without an exact counterpart they are left out, and the flag is off. */
export function translated(
  flag: Pick<TranslatedFlag, 'key' | 'description' | 'tags'>,
  translate: () => Partial<TranslatedFlag>,
): TranslatedFlag {
  const empty = { ...flag, kind: 'switch', variants: [], payloads: {}, conditions: [], notes: [] } as const
  try {
    return { ...empty, isOn: false, reasons: [], ...translate() }
  } catch (problem) {
    if (!(problem instanceof UntranslatableFlagError)) throw problem
    return { ...empty, isOn: false, reasons: [problem.message] }
  }
}

export const conditionSet = (set: Partial<ConditionSet>): ConditionSet => ({
  description: '',
  conditions: [],
  percentage: 100,
  isLast: false,
  ...set,
})

/** The property of a condition, without its operator. */
export type Subject = { type: 'person'; key: string } | { type: 'group'; group: string; key: string }

export const personId: Subject = { type: 'person', key: 'distinct_id' }

export const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Longer patterns are refused by flags. */
const longestPattern = 900

/** Letters in two cases: other products tell them apart, and only patterns do here. */
const hasCase = (value: string): boolean => value.toLowerCase() !== value.toUpperCase()

export const isOneOf = (subject: Subject, values: readonly string[], isNegated = false): Condition =>
  values.some(hasCase)
    ? matches(subject, `^(?:${values.map(escapePattern).join('|')})$`, isNegated)
    : { ...subject, operator: isNegated ? 'is_not' : 'exact', value: [...values] }

export const contains = (subject: Subject, values: readonly string[], isNegated = false): Condition =>
  matches(subject, `(?:${values.map(escapePattern).join('|')})`, isNegated)

export const startsWith = (subject: Subject, values: readonly string[], isNegated = false): Condition =>
  matches(subject, `^(?:${values.map(escapePattern).join('|')})`, isNegated)

export const endsWith = (subject: Subject, values: readonly string[], isNegated = false): Condition =>
  matches(subject, `(?:${values.map(escapePattern).join('|')})$`, isNegated)

export function matches(subject: Subject, pattern: string, isNegated = false): Condition {
  if (pattern.length > longestPattern)
    throw new UntranslatableFlagError('compares with more values than a pattern holds; make a cohort of them')
  return { ...subject, operator: isNegated ? 'not_regex' : 'regex', value: pattern }
}

export const isSet = (subject: Subject): Condition => ({ ...subject, operator: 'is_set' })

/** Splits a list of ids so that each part fits into a pattern. */
export function idSets(ids: readonly string[], set: Partial<ConditionSet>): ConditionSet[] {
  const parts: string[][] = []
  for (const id of ids) {
    const last = parts.at(-1)
    const length = last?.reduce((sum, one) => sum + escapePattern(one).length + 1, 20) ?? Infinity
    if (last && length + escapePattern(id).length < longestPattern) last.push(id)
    else parts.push([id])
  }
  return parts.map((part) => conditionSet({ ...set, conditions: [isOneOf(personId, part)] }))
}

/** A percentage in the steps that flags have. */
export function exactPercentage(percentage: number): number {
  const rounded = Math.round(percentage * 100) / 100
  if (!(rounded >= 0 && rounded <= 100) || Math.abs(rounded - percentage) > 1e-9)
    throw new UntranslatableFlagError(`lets in ${percentage} percent; percentages here go in steps of 0.01`)
  return rounded
}

/** The values of a flag that is more than on or off: each becomes a variant with the value as its payload. */
export class Values {
  private readonly keys = new Map<string, string>()
  private shares: readonly number[] | undefined

  constructor(values: readonly Json[], names: readonly (string | undefined)[] = []) {
    values.forEach((value, index) => this.add(value, names[index]))
  }

  keyOf(value: Json): string {
    return this.keys.get(JSON.stringify(value)) ?? this.add(value)
  }

  /** A flag shares its variants out in one way only. */
  share(parts: readonly { value: Json; percentage: number }[]): void {
    const percentageOf = (key: string) =>
      parts.filter(({ value }) => this.keyOf(value) === key).reduce((sum, one) => sum + one.percentage, 0)
    const shares = [...this.keys.values()].map((key) => exactPercentage(percentageOf(key)))
    if (Math.abs(shares.reduce((sum, one) => sum + one, 0) - 100) > 1e-6)
      throw new UntranslatableFlagError('shares out less than everyone among its values')
    if (this.shares && JSON.stringify(this.shares) !== JSON.stringify(shares))
      throw new UntranslatableFlagError('shares its values out in different ways in different rules')
    this.shares = shares
  }

  get isShared(): boolean {
    return this.shares !== undefined
  }

  parts(): Pick<TranslatedFlag, 'kind' | 'variants' | 'payloads'> {
    const keys = [...this.keys.values()]
    const shares = this.shares ?? equalPercentages(keys.length)
    return {
      kind: 'variants',
      variants: keys.map((key, index) => ({ key, name: '', percentage: shares[index] ?? 0 })),
      payloads: Object.fromEntries([...this.keys].map(([json, key]) => [key, json])),
    }
  }

  private add(value: Json, name?: string): string {
    const json = JSON.stringify(value)
    const known = this.keys.get(json)
    if (known !== undefined) return known
    if (this.shares) throw new UntranslatableFlagError('has a value that it does not list')
    const wanted = (typeof value === 'string' && value !== '' ? value : (name ?? json))
      .replaceAll(/[^\w.-]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 60)
    const isFree = wanted !== '' && !/^(?:true|false|holdout-.*|\.+|__proto__)$/.test(wanted)
    const base = isFree ? wanted : `value-${this.keys.size + 1}`
    const isTaken = [...this.keys.values()].includes(base)
    const key = isTaken ? `${base}-${this.keys.size + 1}` : base
    this.keys.set(json, key)
    return key
  }
}

const movedNote =
  'People may get another value than before: each product computes in its own way who belongs to a percentage.'

/** The hash of each product differs: a person within a percentage there may be outside of it here. */
export const notesOn = (sets: readonly ConditionSet[], isShared: boolean): string[] =>
  isShared || sets.some(({ percentage }) => percentage > 0 && percentage < 100) ? [movedNote] : []
