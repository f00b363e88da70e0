import type { Filter } from '#filters/filter'
import type { CohortDefinition, CohortEvent, CohortEventCount, CohortPeriod } from '#persons/cohort'

/** An incomplete condition of a cohort: parts that are not chosen yet are absent. */
export type CohortConditionDraft = { id: number; isNegated: boolean } & (
  | { kind: 'is'; filter: Filter | undefined }
  | { kind: 'did'; happening: CohortEventDraft; times: CohortEventCount; within: CohortPeriod | undefined }
  | { kind: 'first'; happening: CohortEventDraft; within: CohortPeriod }
  | { kind: 'in'; cohort: string | undefined }
  | ({ kind: 'group' } & CohortGroupDraft)
)

export interface CohortGroupDraft {
  mode: 'all' | 'any'
  members: CohortConditionDraft[]
}

/** Undefined while no event is chosen; null is any. */
export interface CohortEventDraft {
  event: string | null | undefined
  filter?: Filter | undefined
}

let lastId = 0
/** Tells rows apart while they are edited; never leaves the page. */
const newId = (): number => ++lastId

const atLeastOnce: CohortEventCount = { at: 'least', count: 1 }

export const newCondition = {
  did: (): CohortConditionDraft => ({
    id: newId(),
    isNegated: false,
    kind: 'did',
    happening: { event: undefined },
    times: atLeastOnce,
    within: { days: 30 },
  }),
  is: (): CohortConditionDraft => ({ id: newId(), isNegated: false, kind: 'is', filter: undefined }),
  first: (): CohortConditionDraft => ({
    id: newId(),
    isNegated: false,
    kind: 'first',
    happening: { event: undefined },
    within: { days: 30 },
  }),
  in: (): CohortConditionDraft => ({ id: newId(), isNegated: false, kind: 'in', cohort: undefined }),
  group: (): CohortConditionDraft => ({
    id: newId(),
    isNegated: false,
    kind: 'group',
    mode: 'any',
    members: [],
  }),
}

export function draftOf(definition: CohortDefinition | undefined): CohortGroupDraft {
  if (!definition) return { mode: 'all', members: [] }
  if ('all' in definition) return { mode: 'all', members: definition.all.map(conditionOf) }
  if ('any' in definition) return { mode: 'any', members: definition.any.map(conditionOf) }
  return { mode: 'all', members: [conditionOf(definition)] }
}

function conditionOf(definition: CohortDefinition): CohortConditionDraft {
  if ('not' in definition) {
    const condition = conditionOf(definition.not)
    return { ...condition, isNegated: !condition.isNegated }
  }
  const own = { id: newId(), isNegated: false }
  if ('is' in definition) return { ...own, kind: 'is', filter: definition.is }
  if ('in' in definition) return { ...own, kind: 'in', cohort: definition.in }
  if ('first' in definition)
    return { ...own, kind: 'first', happening: definition.first, within: definition.within }
  if ('did' in definition) {
    const { did, times = atLeastOnce, within } = definition
    return { ...own, kind: 'did', happening: did, times, within }
  }
  return { ...own, kind: 'group', ...draftOf(definition) }
}

/** Undefined where nothing is complete. */
export function definitionOf({ mode, members }: CohortGroupDraft): CohortDefinition | undefined {
  const parts = members.flatMap((member) => partOf(member) ?? [])
  if (parts.length === 0) return undefined
  return mode === 'any' ? { any: parts } : { all: parts }
}

/** Whether nothing would be left out if it were saved now. */
export const isComplete = ({ members }: CohortGroupDraft): boolean =>
  members.length > 0 &&
  members.every((member) => (member.kind === 'group' ? isComplete(member) : partOf(member) !== undefined))

function partOf(draft: CohortConditionDraft): CohortDefinition | undefined {
  const part = plainPartOf(draft)
  return part && draft.isNegated ? { not: part } : part
}

function plainPartOf(draft: CohortConditionDraft): CohortDefinition | undefined {
  if (draft.kind === 'group') return definitionOf(draft)
  if (draft.kind === 'is') return draft.filter && { is: draft.filter }
  if (draft.kind === 'in') return draft.cohort === undefined ? undefined : { in: draft.cohort }
  const matcher = eventMatcherOf(draft.happening)
  if (!matcher || !isWithinComplete(draft.within)) return undefined
  if (draft.kind === 'first') return { first: matcher, within: draft.within }
  const { times, within } = draft
  return { did: matcher, times, ...(within && { within }) }
}

const eventMatcherOf = ({ event, filter }: CohortEventDraft): CohortEvent | undefined =>
  event === undefined ? undefined : { event, ...(filter && { filter }) }

const isWithinComplete = (within: CohortPeriod | undefined): boolean =>
  !within || 'days' in within || (within.from !== '' && within.to !== '')
