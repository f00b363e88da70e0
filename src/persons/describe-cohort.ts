import { eventLabel, propertyLabel } from '#events/taxonomy'
import { filterInWords } from '#filters/words'
import type { CohortDefinition, CohortName, CohortEvent, CohortEventCount, CohortPeriod } from './cohort'

/** Describes a definition: "did Buy at least 2 times in the last 30 days and not (is in Staff)". */
export function describeCohort(definition: CohortDefinition, cohorts: readonly CohortName[]): string {
  if ('all' in definition) return describeAll(definition.all, ' and ', cohorts)
  if ('any' in definition) return describeAll(definition.any, ' or ', cohorts)
  if ('in' in definition) return `is in ${nameOf(definition.in, cohorts)}`
  if ('is' in definition) return filterInWords(definition.is, propertyLabel)
  if ('first' in definition)
    return `first did ${describeCohortEvent(definition.first)} ${describePeriod(definition.within)}`
  if ('not' in definition) return describeNegation(definition.not, cohorts)
  const { did, times, within } = definition
  return ['did', describeCohortEvent(did), describeCount(times), within && describePeriod(within)]
    .filter(Boolean)
    .join(' ')
}

function describeNegation(definition: CohortDefinition, cohorts: readonly CohortName[]): string {
  if ('in' in definition) return `is not in ${nameOf(definition.in, cohorts)}`
  const words = describeCohort(definition, cohorts)
  return 'did' in definition ? words.replace(/^did/, 'did not do') : `not (${words})`
}

function describeAll(
  parts: readonly CohortDefinition[],
  word: string,
  cohorts: readonly CohortName[],
): string {
  return parts
    .map((one) => {
      const words = describeCohort(one, cohorts)
      return parts.length > 1 && ('all' in one || 'any' in one) ? `(${words})` : words
    })
    .join(word)
}

const nameOf = (id: string, cohorts: readonly CohortName[]): string =>
  cohorts.find((cohort) => cohort.id === id)?.name ?? 'a deleted cohort'

function describeCohortEvent({ event, filter }: CohortEvent): string {
  const name = event === null ? 'anything' : eventLabel(event)
  return filter ? `${name} with ${filterInWords(filter, propertyLabel)}` : name
}

function describeCount(times: CohortEventCount | undefined): string | undefined {
  if (!times || (times.at === 'least' && times.count === 1)) return undefined
  const how = times.at === 'exactly' ? 'exactly' : `at ${times.at}`
  return `${how} ${times.count} ${times.count === 1 ? 'time' : 'times'}`
}

const describePeriod = (within: CohortPeriod): string =>
  'days' in within
    ? `in the last ${within.days === 1 ? 'day' : `${within.days} days`}`
    : `from ${within.from} to ${within.to}`
