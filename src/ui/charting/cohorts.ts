import type { Amount, Cohort } from '../chart'

/** The share of all who were back in each period; cohorts not that old yet, or still in it, are left out. */
export const averages = (cohorts: readonly Cohort[], periods: number): Amount[] =>
  Array.from({ length: periods }, (_, place) => {
    const old = cohorts.filter((cohort) => isOver(cohort, place))
    const began = old.reduce((sum, { size }) => sum + size, 0)
    return began > 0 ? old.reduce((sum, { counts }) => sum + (counts[place] ?? 0), 0) / began : null
  })

function isOver({ counts, lastIsIncomplete }: Cohort, place: number): boolean {
  if (counts[place] === null || counts[place] === undefined) return false
  return !lastIsIncomplete || counts.slice(place + 1).some((later) => later !== null)
}
