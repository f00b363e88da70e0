import type { Amount, RetentionCohort } from '../chart'

/** The share of all who were back in each period; cohorts not that old yet, or still in it, are left out. */
export const averages = (cohorts: readonly RetentionCohort[], periods: number): Amount[] =>
  Array.from({ length: periods }, (_, index) => {
    const old = cohorts.filter((cohort) => isOver(cohort, index))
    const began = old.reduce((sum, { size }) => sum + size, 0)
    return began > 0 ? old.reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0) / began : null
  })

function isOver({ counts, lastIsIncomplete }: RetentionCohort, index: number): boolean {
  if (counts[index] === null || counts[index] === undefined) return false
  return !lastIsIncomplete || counts.slice(index + 1).some((later) => later !== null)
}
