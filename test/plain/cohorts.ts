import type { Json } from '#events/event'
import { type Filter, matches, type PropertyCondition, type FilterSubject } from '#filters/filter'
import { numberOf } from '#filters/numbers'
import { type Calendar, type Period, periodOn } from '#insights/calendar/period'
import type { CohortDefinition, CohortEvent, CohortPeriod } from '#persons/cohort'
import { timeOf, type TestEvent } from '../product/test-engine'

export interface PlainCohortWorld {
  events: readonly TestEvent[]
  /** The known properties of persons; the others have none. */
  profiles: Readonly<Record<string, Readonly<Record<string, string>>>>
  calendar: Calendar
  cohorts: Readonly<Record<string, CohortDefinition | readonly string[]>>
}

/** The members of a cohort, decided person by person, without SQL. */
export function expectedMembers(
  known: CohortDefinition | readonly string[],
  people: PlainCohortWorld,
): string[] {
  if (isPicked(known)) return [...known].toSorted()
  const everybody = new Set([...people.events.map(({ person }) => person), ...Object.keys(people.profiles)])
  return [...new Set([...everybody, ...picked(people)])]
    .filter(
      (person) => (everybody.has(person) || !excludesOthers(known, people)) && fits(person, known, people),
    )
    .toSorted()
}

const isPicked = (known: CohortDefinition | readonly string[]): known is readonly string[] =>
  Array.isArray(known)

/** The picked persons. Those without events are members only where they are picked, never of “everyone but”. */
const picked = ({ cohorts }: PlainCohortWorld): string[] =>
  Object.values(cohorts).flatMap((one) => (isPicked(one) ? one : []))

function excludesOthers(known: CohortDefinition, people: PlainCohortWorld): boolean {
  return fits('somebody nobody ever heard of', known, people)
}

function fits(
  person: string,
  known: CohortDefinition | readonly string[],
  people: PlainCohortWorld,
): boolean {
  if (isPicked(known)) return known.includes(person)
  if ('all' in known) return known.all.every((one) => fits(person, one, people))
  if ('any' in known) return known.any.some((one) => fits(person, one, people))
  if ('not' in known) return !fits(person, known.not, people)
  if ('in' in known) return isIn(person, known.in, people)
  if ('is' in known) return matchesFilter(known.is, person, people)
  if ('first' in known) return firstWithin(person, known.first, known.within, people)
  const { did, times = { at: 'least', count: 1 }, within } = known
  const often = eventsMatching(person, did, people).filter((one) => isWithin(one, within, people)).length
  if (times.at === 'exactly') return often === times.count
  return times.at === 'least' ? often >= times.count : often <= times.count
}

const isIn = (person: string, cohort: string, people: PlainCohortWorld): boolean => {
  const known = people.cohorts[cohort]
  return known !== undefined && fits(person, known, people)
}

function firstWithin(
  person: string,
  first: CohortEvent,
  within: CohortPeriod,
  people: PlainCohortWorld,
): boolean {
  const [earliest] = eventsMatching(person, first, people).toSorted(
    (one, other) => +timeOf(one) - +timeOf(other),
  )
  return earliest !== undefined && isWithin(earliest, within, people)
}

const eventsMatching = (
  person: string,
  { event, filter }: CohortEvent,
  people: PlainCohortWorld,
): TestEvent[] =>
  people.events.filter(
    (one) =>
      one.person === person &&
      (event === null || one.event === event) &&
      (!filter || matchesFilter(filter, person, people, one)),
  )

function isWithin(one: TestEvent, within: CohortPeriod | undefined, { calendar }: PlainCohortWorld): boolean {
  if (!within) return true
  const text = 'days' in within ? `${within.days}d` : `${within.from}..${within.to}`
  const { from, until }: Period = periodOn(calendar, text)
  return timeOf(one) >= from && timeOf(one) < until
}

function matchesFilter(filter: Filter, person: string, people: PlainCohortWorld, event?: TestEvent): boolean {
  const properties: Record<PropertyCondition['type'], Readonly<Record<string, string>> | undefined> = {
    person: people.profiles[person],
    event: event?.properties,
    group: {},
    session: {},
  }
  const subject: FilterSubject = {
    property: ({ type, key }: PropertyCondition) => ({
      known: true,
      value: parseValue(properties[type]?.[key]),
    }),
    cohort: ({ cohort }) => isIn(person, cohort, people),
  }
  return matches(filter, subject, people.calendar.now) === true
}

/** The engine keeps everything as text, and takes for a number what reads as one. */
const parseValue = (value: string | undefined): Json | undefined =>
  value === undefined ? undefined : (numberOf(value) ?? value)
