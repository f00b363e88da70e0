import { failedOutcome, type Outcome } from '#projects/problems'

const cohortTypes: ReadonlySet<unknown> = new Set(['cohort', 'static-cohort', 'precalculated-cohort'])

/** Replaces the numbers of PostHog's cohorts in conditions by the ids of ours, at any depth. */
export function withOurCohorts<Given extends object>(
  given: Given,
  cohortIds: ReadonlyMap<string, string>,
): Outcome<{ value: Given }> {
  const missing = new Set<string>()
  // only values of conditions are replaced
  const value = replaced(given, cohortIds, missing) as Given
  const [first] = missing
  return first === undefined
    ? { done: true, value }
    : failedOutcome(`It names the cohort ${first} of PostHog, which is not here.`)
}

function replaced(given: unknown, cohortIds: ReadonlyMap<string, string>, missing: Set<string>): unknown {
  if (Array.isArray(given)) return given.map((one: unknown) => replaced(one, cohortIds, missing))
  if (typeof given !== 'object' || given === null) return given
  const isCohort = 'type' in given && cohortTypes.has(given.type) && 'value' in given
  if (isCohort) {
    const posthogId = String(Array.isArray(given.value) ? given.value[0] : given.value)
    const ours = cohortIds.get(posthogId)
    if (ours === undefined) missing.add(posthogId)
    return { ...given, type: 'cohort', value: ours }
  }
  return Object.fromEntries(
    Object.entries(given).map(([name, one]) => [name, replaced(one, cohortIds, missing)]),
  )
}
