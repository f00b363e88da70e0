import {
  type Condition,
  type ConditionSet,
  type EditableFlag,
  editablePartOf,
  equalPercentages,
  type Flag,
  type FlagKind,
  type FlagSetting,
  type Variant,
} from '#flags/flag'
import {
  type FilterConditionDraft as PlainDraft,
  draftOf as rowsOf,
  filterOf,
  newCondition,
  type PropertySubject,
} from '#studio/filters/draft'

/** An incomplete condition: parts that are not chosen yet are absent. */
export type RowDraft = PlainDraft | FlagRowDraft

export interface FlagRowDraft {
  id: number
  kind: 'flag'
  flag: string | undefined
  value: boolean | string
}

export interface SetDraft extends Omit<ConditionSet, 'conditions'> {
  /** Tells cards apart while they are edited; never leaves the page. */
  id: number
  rows: RowDraft[]
}

export interface SettingDraft extends Omit<FlagSetting, 'conditions'> {
  sets: SetDraft[]
}

export type VariantDraft = Variant & { id: number }

export interface FlagDraft extends Omit<EditableFlag, 'environments' | 'variants'> {
  key: string
  variants: VariantDraft[]
  environments: Readonly<Record<string, SettingDraft>>
}

const newId = (): number => newCondition().id

export const newRow = {
  property: (): RowDraft => newCondition(),
  of: (subject: PropertySubject): RowDraft => ({
    id: newId(),
    kind: 'property',
    subject,
    operator: 'exact',
    value: undefined,
  }),
  cohort: (): RowDraft => ({ id: newId(), kind: 'cohort', operator: 'in', cohort: undefined }),
  flag: (): RowDraft => ({ id: newId(), kind: 'flag', flag: undefined, value: true }),
}

export const newSet = (): SetDraft => ({
  id: newId(),
  description: '',
  rows: [],
  percentage: 100,
  variant: undefined,
  isLast: false,
})

export const copyOf = (set: SetDraft): SetDraft => ({
  ...set,
  id: newId(),
  rows: set.rows.map((row) => ({ ...row, id: newId() })),
})

export const newVariant = (taken: readonly Variant[]): VariantDraft => ({
  id: newId(),
  key: taken.length === 0 ? 'control' : taken.length === 1 ? 'test' : `test-${taken.length}`,
  name: '',
  percentage: 0,
})

export function splitEqually(variants: readonly VariantDraft[]): VariantDraft[] {
  const percentages = equalPercentages(variants.length)
  return variants.map((variant, i) => ({ ...variant, percentage: percentages[i] ?? 0 }))
}

export const noSetting: SettingDraft = { isOn: false, sets: [], holdout: undefined, payloads: {} }

/** A new flag is off everywhere; turned on, it would serve all visitors. */
export function newFlag(
  blank: EditableFlag,
  { kind, owner, environments }: { kind: FlagKind; owner: string; environments: readonly string[] },
): FlagDraft {
  const variants = kind === 'variants' ? splitEqually(twoVariants()) : []
  return {
    ...blank,
    key: '',
    owner,
    kind,
    variants,
    payloads: kind === 'config' ? { true: '{}' } : {},
    environments: Object.fromEntries(
      environments.map((name) => [name, { ...noSetting, sets: kind === 'config' ? [] : [newSet()] }]),
    ),
  }
}

function twoVariants(): VariantDraft[] {
  const control = newVariant([])
  return [control, newVariant([control])]
}

/** Converts a draft to another kind: adds the parts that it needs and removes those it cannot have. */
export function ofKind(draft: FlagDraft, kind: FlagKind): FlagDraft {
  const next = { ...draft, kind, isSecret: kind === 'config' && draft.isSecret }
  if (kind === 'variants')
    return { ...next, variants: draft.variants.length > 0 ? draft.variants : splitEqually(twoVariants()) }
  const payloads = forOn(draft.payloads)
  return {
    ...next,
    variants: [],
    payloads: kind === 'config' ? { true: '{}', ...payloads } : payloads,
    environments: Object.fromEntries(
      Object.entries(draft.environments).map(([name, setting]) => [name, withoutVariants(setting)]),
    ),
  }
}

const forOn = (payloads: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(payloads).filter(([key]) => key === 'true'))

const withoutVariants = (setting: SettingDraft): SettingDraft => ({
  ...setting,
  payloads: forOn(setting.payloads),
  sets: setting.sets.map((set) => ({ ...set, variant: undefined })),
})

export const draftOf = (flag: Flag): FlagDraft => ({
  ...editablePartOf(flag),
  key: flag.key,
  variants: flag.variants.map((variant) => ({ ...variant, id: newId() })),
  environments: Object.fromEntries(
    Object.entries(flag.environments).map(([name, { conditions, ...setting }]) => [
      name,
      { ...setting, sets: conditions.map(setOf) },
    ]),
  ),
})

const setOf = ({ conditions, ...set }: ConditionSet): SetDraft => ({
  ...set,
  id: newId(),
  rows: conditions.flatMap(rowsFor),
})

const rowsFor = (condition: Condition): RowDraft[] =>
  condition.type === 'flag'
    ? [{ id: newId(), kind: 'flag', flag: condition.flag, value: condition.value }]
    : rowsOf(condition).members.filter((member) => member.kind !== 'group')

/** The complete part of a draft, as it would be saved. */
export const changeableOf = ({ key: _key, ...draft }: FlagDraft): EditableFlag => ({
  ...draft,
  variants: draft.variants.map(({ id: _, ...variant }) => variant),
  environments: Object.fromEntries(
    Object.entries(draft.environments).map(([name, { sets, ...setting }]) => [
      name,
      { ...setting, conditions: sets.map(conditionSetOf) },
    ]),
  ),
})

/** The input of a change: null removes what the draft lacks. */
export function changeOf(draft: FlagDraft) {
  const { environments, earlyAccess, ...parts } = changeableOf(draft)
  return {
    ...parts,
    earlyAccess: earlyAccess ?? null,
    environments: Object.fromEntries(
      Object.entries(environments).map(([name, { holdout, layer, ...setting }]) => [
        name,
        { ...setting, holdout: holdout ?? null, layer: layer ?? null },
      ]),
    ),
  }
}

export const conditionSetOf = ({ id: _, rows, ...set }: SetDraft): ConditionSet => ({
  ...set,
  conditions: rows.flatMap((row) => conditionOf(row) ?? []),
})

function conditionOf(row: RowDraft): Condition | undefined {
  if (row.kind === 'flag')
    return row.flag === undefined ? undefined : { type: 'flag', flag: row.flag, value: row.value }
  const filter = filterOf({ id: row.id, kind: 'group', mode: 'all', members: [row] })
  const only = filter && 'all' in filter ? filter.all[0] : undefined
  return only && !('all' in only) && !('any' in only) ? only : undefined
}

/** Whether nothing would be left out if it were saved now. */
export const isComplete = ({ environments }: FlagDraft): boolean =>
  Object.values(environments).every(({ sets }) =>
    sets.every(({ rows }) => rows.every((row) => conditionOf(row) !== undefined)),
  )

/** Why this text is no JSON; undefined where it is, or where there is none. */
export function whyNoJson(text: string): string | undefined {
  if (text.trim() === '') return undefined
  try {
    JSON.parse(text)
    return undefined
  } catch {
    return /^[\w\s-]+$/.test(text)
      ? `This is not valid JSON. Quote a string: ${JSON.stringify(text.trim())}`
      : 'This is not valid JSON yet.'
  }
}

export const variantTotal = (variants: readonly Variant[]): number =>
  Number(variants.reduce((sum, { percentage }) => sum + percentage, 0).toFixed(2))

/** Why it cannot be saved yet, as far as this page knows. */
export function whyNotYet(draft: FlagDraft): string | undefined {
  if (!isComplete(draft)) return 'Complete every condition first, or remove it.'
  const payloads = [draft.payloads, ...Object.values(draft.environments).map((one) => one.payloads)]
  if (payloads.some((one) => Object.values(one).some(whyNoJson))) return 'Correct the invalid JSON first.'
  if (draft.kind === 'variants' && variantTotal(draft.variants) !== 100)
    return `Variant weights add up to ${variantTotal(draft.variants)}% instead of 100%.`
  return undefined
}
