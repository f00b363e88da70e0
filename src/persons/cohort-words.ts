import { eventLabel, propertyLabel } from '../events/taxonomy'
import { inWords } from '../filters/words'
import type { CohortDefinition, CohortName, Happening, Times, Within } from './cohort'

/** "did Buy at least 2 times in the last 30 days and not (is in Staff)". */
export function cohortInWords(definition: CohortDefinition, cohorts: readonly CohortName[]): string {
  if ('all' in definition) return joined(definition.all, ' and ', cohorts)
  if ('any' in definition) return joined(definition.any, ' or ', cohorts)
  if ('in' in definition) return `is in ${nameOf(definition.in, cohorts)}`
  if ('is' in definition) return inWords(definition.is, propertyLabel)
  if ('first' in definition)
    return `first did ${happeningInWords(definition.first)} ${withinInWords(definition.within)}`
  if ('not' in definition) return notInWords(definition.not, cohorts)
  const { did, times, within } = definition
  return ['did', happeningInWords(did), timesInWords(times), within && withinInWords(within)]
    .filter(Boolean)
    .join(' ')
}

function notInWords(definition: CohortDefinition, cohorts: readonly CohortName[]): string {
  if ('in' in definition) return `is not in ${nameOf(definition.in, cohorts)}`
  const words = cohortInWords(definition, cohorts)
  return 'did' in definition ? words.replace(/^did/, 'did not do') : `not (${words})`
}

function joined(parts: readonly CohortDefinition[], word: string, cohorts: readonly CohortName[]): string {
  return parts
    .map((one) => {
      const words = cohortInWords(one, cohorts)
      return parts.length > 1 && ('all' in one || 'any' in one) ? `(${words})` : words
    })
    .join(word)
}

const nameOf = (id: string, cohorts: readonly CohortName[]): string =>
  cohorts.find((cohort) => cohort.id === id)?.name ?? 'a cohort that is gone'

function happeningInWords({ event, filter }: Happening): string {
  const name = event === null ? 'anything' : eventLabel(event)
  return filter ? `${name} with ${inWords(filter, propertyLabel)}` : name
}

function timesInWords(times: Times | undefined): string | undefined {
  if (!times || (times.at === 'least' && times.count === 1)) return undefined
  const how = times.at === 'exactly' ? 'exactly' : `at ${times.at}`
  return `${how} ${times.count} ${times.count === 1 ? 'time' : 'times'}`
}

const withinInWords = (within: Within): string =>
  'days' in within
    ? `in the last ${within.days === 1 ? 'day' : `${within.days} days`}`
    : `from ${within.from} to ${within.to}`
