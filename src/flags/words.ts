import { filterInWords } from '#filters/words'
import type { CohortName } from '#persons/cohort'
import type { Condition, ConditionSet, Flag, FlagSetting } from './flag'

/** The names of things that conditions refer to by key or id. */
export interface ConditionLabels {
  property: (key: string) => string
  cohorts: readonly CohortName[]
}

/** Rounds away floating-point noise: 0.1 + 0.2 is shown as 0.3%. */
export const percentText = (percentage: number): string => `${Number(percentage.toFixed(2))}%`

/** "Plan is pro", "is in Staff", "new-checkout is on". */
export function conditionInWords(condition: Condition, { property, cohorts }: ConditionLabels): string {
  if (condition.type === 'cohort') {
    const name = cohorts.find(({ id }) => id === condition.cohort)?.name ?? 'a deleted cohort'
    return `is ${condition.operator === 'in' ? 'in' : 'not in'} ${name}`
  }
  if (condition.type === 'flag') return `${condition.flag} ${valueInWords(condition.value)}`
  const ofGroup = condition.type === 'group' && condition.group ? `${condition.group}’s ` : ''
  return ofGroup + filterInWords(condition, property)
}

function valueInWords(value: boolean | string): string {
  if (typeof value === 'string') return `gives ${value}`
  return value ? 'is on' : 'is off'
}

/** "Plan is pro and Country is DE"; "everyone" without conditions. */
function audienceInWords({ conditions }: Pick<ConditionSet, 'conditions'>, names: ConditionLabels): string {
  return conditions.length === 0
    ? 'everyone'
    : conditions.map((condition) => conditionInWords(condition, names)).join(' and ')
}

/** One condition set as a sentence: "If Plan is pro, 10% get it." */
export function setInWords(set: ConditionSet, names: ConditionLabels): string {
  const what = set.variant === undefined ? 'it' : `“${set.variant}”`
  const end = set.isLast && set.percentage < 100 ? ' Other matching visitors get no value.' : ''
  if (set.conditions.length === 0) return `${amongAll(set.percentage, what)}${end}`
  const audience = `If ${audienceInWords(set, names)}`
  if (set.percentage === 0) return `${audience}, no one gets ${what}.${end}`
  if (set.percentage === 100) return `${audience}, everyone gets ${what}.`
  return `${audience}, ${percentText(set.percentage)} get ${what}.${end}`
}

function amongAll(percentage: number, what: string): string {
  if (percentage === 0) return `No one gets ${what}.`
  if (percentage === 100) return `Everyone gets ${what}.`
  return `${percentText(percentage)} of everyone get ${what}.`
}

const shownSets = 2

/** A rollout, short enough for a list: "Plan is pro: everyone; others: 10%". */
export function rolloutInWords(
  kind: Flag['kind'],
  setting: FlagSetting | undefined,
  names: ConditionLabels,
): string {
  if (!setting) return 'not set'
  const { conditions: sets } = setting
  if (kind === 'config' && sets.length === 0) return 'everyone'
  if (sets.length === 0) return 'no one'
  const parts = sets.map((set, place) => partInWords(set, place > 0, names))
  const more = parts.length - shownSets
  return parts.slice(0, shownSets).join('; ') + (more > 0 ? `; and ${more} more` : '')
}

function partInWords(set: ConditionSet, isAfterOthers: boolean, names: ConditionLabels): string {
  const { conditions, percentage, variant } = set
  const getting = variant === undefined ? '' : ` get ${variant}`
  if (conditions.length > 0) return `${audienceInWords(set, names)}: ${partly(percentage)}${getting}`
  if (isAfterOthers) return `others: ${partly(percentage)}${getting}`
  if (percentage === 0 || percentage === 100) return partly(percentage) + getting
  return `${percentText(percentage)} of everyone${getting}`
}

const partly = (percentage: number): string =>
  percentage === 0 ? 'no one' : percentage === 100 ? 'everyone' : percentText(percentage)
