import type { CohortCondition, Filter, PropertyCondition } from '#filters/filter'
import type { CohortDefinition } from '#persons/cohort'
import { type CohortRule, isByProperties } from '../../internal/cohort-rules'
import { locallyComparable } from './values'
import type { PosthogGroup, PosthogProperty } from './posthog-types'

/** Converts a cohort that properties decide to the form that posthog-node evaluates; undefined for any other. */
export function cohortInPosthogForm(rule: CohortRule): PosthogGroup | undefined {
  return isByProperties(rule) ? groupOf(rule, false) : undefined
}

/** posthog-node negates single conditions only, so a negation is moved down to them. */
function groupOf(rule: CohortDefinition | Filter, isNot: boolean): PosthogGroup {
  if ('all' in rule) return { type: isNot ? 'OR' : 'AND', values: rule.all.map((one) => groupOf(one, isNot)) }
  if ('any' in rule) return { type: isNot ? 'AND' : 'OR', values: rule.any.map((one) => groupOf(one, isNot)) }
  if ('not' in rule) return groupOf(rule.not, !isNot)
  if ('is' in rule) return groupOf(rule.is, isNot)
  return { type: 'AND', values: [{ ...leafOf(rule), negation: isNot }] }
}

type LeafRule = Exclude<
  CohortDefinition,
  { all: unknown } | { any: unknown } | { not: unknown } | { is: unknown }
>

function leafOf(rule: LeafRule | PropertyCondition | CohortCondition): PosthogProperty {
  if ('type' in rule)
    return rule.type === 'cohort'
      ? { key: 'id', type: 'cohort', operator: rule.operator, value: rule.cohort }
      : { ...locallyComparable(rule), type: 'person' }
  if ('in' in rule) return { key: 'id', type: 'cohort', operator: 'in', value: rule.in }
  throw new Error('A cohort decided by properties has no rule about events')
}
