import { inWords } from '../filters/words'
import type { CohortName } from '../persons/cohort'
import type { Condition, ConditionSet, Flag, Setting } from './flag'

/** What things are called that conditions know by key or id. */
export interface Names {
  property: (key: string) => string
  cohorts: readonly CohortName[]
}

/** 0.1 + 0.2 is no share anybody would write. */
export const share = (percentage: number): string => `${Number(percentage.toFixed(2))}%`

/** "Plan is pro", "is in Staff", "new-checkout is on". */
export function conditionInWords(condition: Condition, { property, cohorts }: Names): string {
  if (condition.type === 'cohort') {
    const name = cohorts.find(({ id }) => id === condition.cohort)?.name ?? 'a cohort that is gone'
    return `is ${condition.operator === 'in' ? 'in' : 'not in'} ${name}`
  }
  if (condition.type === 'flag') return `${condition.flag} ${whatItSays(condition.value)}`
  const ofGroup = condition.type === 'group' && condition.group ? `${condition.group}’s ` : ''
  return ofGroup + inWords(condition, property)
}

function whatItSays(value: boolean | string): string {
  if (typeof value === 'string') return `gives ${value}`
  return value ? 'is on' : 'is off'
}

/** "Plan is pro and Country is DE"; "everybody" where nothing is asked. */
export function whomInWords({ conditions }: Pick<ConditionSet, 'conditions'>, names: Names): string {
  return conditions.length === 0
    ? 'everybody'
    : conditions.map((condition) => conditionInWords(condition, names)).join(' and ')
}

/** One condition set as a sentence: "Of those for whom Plan is pro, 10% get it." */
export function setInWords(set: ConditionSet, names: Names): string {
  const what = set.variant === undefined ? 'it' : `“${set.variant}”`
  const end = set.isLast && set.percentage < 100 ? ' Whoever fits otherwise gets nothing.' : ''
  if (set.conditions.length === 0) return `${amongAll(set.percentage, what)}${end}`
  const whom = `for whom ${whomInWords(set, names)}`
  if (set.percentage === 0) return `Nobody ${whom} gets ${what}.${end}`
  if (set.percentage === 100) return `Everybody ${whom} gets ${what}.`
  return `Of those ${whom}, ${share(set.percentage)} get ${what}.${end}`
}

function amongAll(percentage: number, what: string): string {
  if (percentage === 0) return `Nobody gets ${what}.`
  if (percentage === 100) return `Everybody gets ${what}.`
  return `${share(percentage)} of everybody get ${what}.`
}

const shownSets = 2

/** How far it is let out, short enough for a list: "Plan is pro: everybody; others: 10%". */
export function rolloutInWords(kind: Flag['kind'], setting: Setting | undefined, names: Names): string {
  if (!setting) return 'never set'
  const { conditions: sets } = setting
  if (kind === 'config' && sets.length === 0) return 'everybody'
  if (sets.length === 0) return 'nobody'
  const parts = sets.map((set, place) => partInWords(set, place > 0, names))
  const more = parts.length - shownSets
  return parts.slice(0, shownSets).join('; ') + (more > 0 ? `; and ${more} more` : '')
}

function partInWords(set: ConditionSet, isAfterOthers: boolean, names: Names): string {
  const { conditions, percentage, variant } = set
  const getting = variant === undefined ? '' : ` get ${variant}`
  if (conditions.length > 0) return `${whomInWords(set, names)}: ${partly(percentage)}${getting}`
  if (isAfterOthers) return `others: ${partly(percentage)}${getting}`
  if (percentage === 0 || percentage === 100) return partly(percentage) + getting
  return `${share(percentage)} of everybody${getting}`
}

const partly = (percentage: number): string =>
  percentage === 0 ? 'nobody' : percentage === 100 ? 'everybody' : share(percentage)
