import type { Json } from '#events/event'
import type { PropertyType } from '#events/taxonomy'
import type { Filter, PropertyCondition } from '#filters/filter'
import { type OperatorName, operatorNames, type OperandKind, vocabulary } from '#filters/vocabulary'

export type PropertySubject = Pick<PropertyCondition, 'type' | 'key' | 'group'>

/** An incomplete condition: parts that are not chosen yet are absent. */
export type FilterConditionDraft =
  | { id: number; kind: 'new' }
  | {
      id: number
      kind: 'property'
      subject: PropertySubject
      operator: OperatorName
      value: Json | undefined
    }
  | { id: number; kind: 'cohort'; operator: 'in' | 'not_in'; cohort: string | undefined }

export interface FilterGroupDraft {
  id: number
  kind: 'group'
  mode: 'all' | 'any'
  members: FilterDraft[]
}

export type FilterDraft = FilterConditionDraft | FilterGroupDraft

let lastId = 0
/** Tells rows apart while they are edited; never leaves the page. */
const newId = (): number => ++lastId

export const newCondition = (): FilterConditionDraft => ({ id: newId(), kind: 'new' })
export const newGroup = (): FilterGroupDraft => ({
  id: newId(),
  kind: 'group',
  mode: 'any',
  members: [newCondition()],
})

/** A single condition becomes a group of one. */
export function draftOf(filter: Filter | undefined): FilterGroupDraft {
  if (!filter) return { id: newId(), kind: 'group', mode: 'all', members: [] }
  if ('all' in filter) return { id: newId(), kind: 'group', mode: 'all', members: filter.all.map(memberOf) }
  if ('any' in filter) return { id: newId(), kind: 'group', mode: 'any', members: filter.any.map(memberOf) }
  return { id: newId(), kind: 'group', mode: 'all', members: [memberOf(filter)] }
}

function memberOf(filter: Filter): FilterDraft {
  if ('all' in filter || 'any' in filter) return draftOf(filter)
  if (filter.type === 'cohort')
    return { id: newId(), kind: 'cohort', operator: filter.operator, cohort: filter.cohort }
  const { type, key, group, operator, value } = filter
  return { id: newId(), kind: 'property', subject: { type, key, group }, operator, value }
}

/** The complete part of a draft; undefined if no part is complete. */
export function filterOf({ mode, members }: FilterGroupDraft): Filter | undefined {
  const filters = members.flatMap((member) => partOf(member) ?? [])
  const [first] = filters
  if (!first) return undefined
  return mode === 'any' && filters.length > 1 ? { any: filters } : { all: filters }
}

function partOf(draft: FilterDraft): Filter | undefined {
  if (draft.kind === 'new') return undefined
  if (draft.kind === 'group') return filterOf(draft)
  if (draft.kind === 'cohort')
    return draft.cohort ? { type: 'cohort', cohort: draft.cohort, operator: draft.operator } : undefined
  const { subject, operator, value } = draft
  if (vocabulary[operator].takes === 'nothing') return { ...subjectOf(subject), operator }
  return isComplete(value, vocabulary[operator].takes)
    ? { ...subjectOf(subject), operator, value }
    : undefined
}

/** A key without a value would make a filter another one than the same without the key. */
const subjectOf = ({ type, key, group }: PropertySubject): PropertySubject =>
  group === undefined ? { type, key } : { type, key, group }

function isComplete(value: Json | undefined, takes: OperandKind): value is Json {
  if (value === undefined || value === null || value === '') return false
  if (takes === 'range') return Array.isArray(value) && value.length === 2 && !value.includes(null)
  return !Array.isArray(value) || value.length > 0
}

/** The operators that a form offers for a type of value; all operators for an unknown type. */
export function operatorsFor(type: PropertyType | undefined, chosen?: OperatorName): OperatorName[] {
  return operatorNames.filter(
    (name) => name === chosen || type === undefined || isOperatorFor(name).includes(type),
  )
}

const isOperatorFor = (name: OperatorName): readonly PropertyType[] => vocabulary[name].suits

/** The value of one operator converted for another, as far as that operator can take it. */
export function valueFor(operator: OperatorName, before: OperatorName, value: Json | undefined) {
  const [takes, took] = [vocabulary[operator].takes, vocabulary[before].takes]
  if (takes === took) return value
  if (takes === 'many' && (typeof value === 'string' || typeof value === 'number')) return [String(value)]
  if (needsValue(takes) && Array.isArray(value) && took === 'many') return value[0]
  return needsValue(takes) && needsValue(took) ? value : undefined
}

const needsValue = (takes: OperandKind): boolean =>
  takes === 'one' || takes === 'pattern' || takes === 'version'
