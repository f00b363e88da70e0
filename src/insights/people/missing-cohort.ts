import type { QuestionScope } from '../scope'

/** A cohort that a question names and that does not exist; it may have been deleted. */
export interface MissingCohort {
  id: string
  /** The part of the question. */
  field: string
}

/** Returns the first missing cohort that a question names, because a missing cohort would give a wrong number. */
export function missingCohort(question: object, scope: QuestionScope): MissingCohort | undefined {
  for (const [field, part] of Object.entries(question)) {
    const id = cohortsIn(part).find((one) => !scope.cohort(one))
    if (id !== undefined) return { id, field }
  }
  return undefined
}

function cohortsIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  if ('type' in part && part.type === 'cohort') return namedBy(part)
  return Object.values(part).flatMap(cohortsIn)
}

/** A condition names one cohort, a breakdown several. */
function namedBy(part: object): string[] {
  const ids = 'cohort' in part ? [part.cohort] : 'cohorts' in part ? part.cohorts : []
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
}
