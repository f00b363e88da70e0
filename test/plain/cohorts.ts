import type { Json } from '../../src/events/event'
import { type Filter, matches, type PropertyCondition, type Subject } from '../../src/filters/filter'
import { numberOf } from '../../src/filters/numbers'
import { type Calendar, type Period, periodOn } from '../../src/insights/period'
import type { CohortDefinition, Happening, Within } from '../../src/persons/cohort'
import { timeOf, type Told } from '../questions'

export interface PlainPeople {
  events: readonly Told[]
  /** What is known of persons; of the others nothing is. */
  profiles: Readonly<Record<string, Readonly<Record<string, string>>>>
  calendar: Calendar
  cohorts: Readonly<Record<string, CohortDefinition | readonly string[]>>
}

/** Who is in a cohort, asked person by person, as one would with a pencil. */
export function plainMembers(known: CohortDefinition | readonly string[], people: PlainPeople): string[] {
  if (isPicked(known)) return [...known].toSorted()
  const everybody = new Set([...people.events.map(({ person }) => person), ...Object.keys(people.profiles)])
  return [...new Set([...everybody, ...picked(people)])]
    .filter(
      (person) => (everybody.has(person) || !isForTheRest(known, people)) && fits(person, known, people),
    )
    .toSorted()
}

const isPicked = (known: CohortDefinition | readonly string[]): known is readonly string[] =>
  Array.isArray(known)

/** Somebody may have been picked who never did anything: being named brings them in, no "everybody but". */
const picked = ({ cohorts }: PlainPeople): string[] =>
  Object.values(cohorts).flatMap((one) => (isPicked(one) ? one : []))

function isForTheRest(known: CohortDefinition, people: PlainPeople): boolean {
  return fits('somebody nobody ever heard of', known, people)
}

export function fits(
  person: string,
  known: CohortDefinition | readonly string[],
  people: PlainPeople,
): boolean {
  if (isPicked(known)) return known.includes(person)
  if ('all' in known) return known.all.every((one) => fits(person, one, people))
  if ('any' in known) return known.any.some((one) => fits(person, one, people))
  if ('not' in known) return !fits(person, known.not, people)
  if ('in' in known) return isIn(person, known.in, people)
  if ('is' in known) return holds(known.is, person, people)
  if ('first' in known) return beganWithin(person, known.first, known.within, people)
  const { did, times = { at: 'least', count: 1 }, within } = known
  const often = happenings(person, did, people).filter((one) => isWithin(one, within, people)).length
  if (times.at === 'exactly') return often === times.count
  return times.at === 'least' ? often >= times.count : often <= times.count
}

const isIn = (person: string, cohort: string, people: PlainPeople): boolean => {
  const known = people.cohorts[cohort]
  return known !== undefined && fits(person, known, people)
}

function beganWithin(person: string, first: Happening, within: Within, people: PlainPeople): boolean {
  const [earliest] = happenings(person, first, people).toSorted((one, other) => +timeOf(one) - +timeOf(other))
  return earliest !== undefined && isWithin(earliest, within, people)
}

const happenings = (person: string, { event, filter }: Happening, people: PlainPeople): Told[] =>
  people.events.filter(
    (one) =>
      one.person === person &&
      (event === null || one.event === event) &&
      (!filter || holds(filter, person, people, one)),
  )

function isWithin(one: Told, within: Within | undefined, { calendar }: PlainPeople): boolean {
  if (!within) return true
  const text = 'days' in within ? `${within.days}d` : `${within.from}..${within.to}`
  const { from, until }: Period = periodOn(calendar, text)
  return timeOf(one) >= from && timeOf(one) < until
}

function holds(filter: Filter, person: string, people: PlainPeople, event?: Told): boolean {
  const properties: Record<PropertyCondition['type'], Readonly<Record<string, string>> | undefined> = {
    person: people.profiles[person],
    event: event?.properties,
    group: {},
    session: {},
  }
  const subject: Subject = {
    property: ({ type, key }: PropertyCondition) => ({ known: true, value: read(properties[type]?.[key]) }),
    cohort: ({ cohort }) => isIn(person, cohort, people),
  }
  return matches(filter, subject, people.calendar.now) === true
}

/** The engine keeps everything as text, and takes for a number what reads as one. */
const read = (value: string | undefined): Json | undefined =>
  value === undefined ? undefined : (numberOf(value) ?? value)
