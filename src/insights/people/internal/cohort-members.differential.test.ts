import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectAgreement, caseCount } from '#test/random/differential'
import { type PlainCohortWorld, expectedMembers } from '#test/plain/cohorts'
import { anEngine, type TestEvent, uuidFor } from '#test/product/test-engine'
import type { CohortDefinition } from '#persons/cohort'
import { cohortReader, personsFitting } from './cohort-members'
import type { Calendar } from '../../calendar/period'

const testEngine = anEngine()

/** Days on which the clocks change, begin at one, or never were. */
const places = [
  { timeZone: 'UTC', day: '2026-03-02' },
  { timeZone: 'America/Sao_Paulo', day: '2018-11-04' },
  { timeZone: 'Europe/Berlin', day: '2026-03-29' },
  { timeZone: 'Pacific/Apia', day: '2011-12-31' },
]

const names = ['ana', 'ben', 'eve', 'kim']

const told = (day: string) =>
  fc.record({
    person: fc.constantFrom(...names),
    event: fc.constantFrom('buy', 'look'),
    at: fc
      .integer({ min: -5 * 24, max: 2 * 24 })
      .map((hour) => new Date(Date.parse(`${day}T00:00:00Z`) + hour * 3_600_000).toISOString()),
    properties: fc.record({ price: fc.constantFrom('3', '10', 'free') }, { requiredKeys: [] }),
  })

const profile = fc.record(
  { plan: fc.constantFrom('pro', 'free'), seats: fc.constantFrom('1', '20') },
  { requiredKeys: [] },
)

const personFilter = fc.constantFrom(
  { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] },
  { type: 'person', key: 'plan', operator: 'is_not', value: ['pro'] },
  { type: 'person', key: 'plan', operator: 'is_not_set' },
  { type: 'person', key: 'seats', operator: 'gt', value: 5 },
  { type: 'cohort', cohort: 'picked', operator: 'in' },
  { type: 'cohort', cohort: 'buyers', operator: 'not_in' },
  {
    any: [
      { type: 'person', key: 'plan', operator: 'is_set' },
      { type: 'cohort', cohort: 'picked', operator: 'in' },
    ],
  },
)

const matcher = fc.record(
  {
    event: fc.constantFrom('buy', 'look', null),
    filter: fc.constantFrom(
      { type: 'event', key: 'price', operator: 'gt', value: 5 },
      { type: 'event', key: 'price', operator: 'is_not_set' },
      { type: 'cohort', cohort: 'picked', operator: 'in' },
      { type: 'person', key: 'plan', operator: 'exact', value: 'pro' },
    ),
  },
  { requiredKeys: ['event'] },
)

const within = (day: string) =>
  fc.oneof(
    fc.integer({ min: 1, max: 4 }).map((days) => ({ days })),
    fc.constantFrom({ from: day, to: day }, { from: '2011-12-29', to: day }),
  )

const times = fc.record({
  at: fc.constantFrom('least', 'most', 'exactly'),
  count: fc.integer({ min: 0, max: 3 }),
})

const leaf = (day: string) =>
  fc.oneof(
    personFilter.map((is) => ({ is })),
    fc.record({ did: matcher, times, within: within(day) }, { requiredKeys: ['did'] }),
    fc.record({ first: matcher, within: within(day) }),
    fc.constantFrom({ in: 'picked' }, { in: 'buyers' }, { in: 'gone' }),
  )

const definition = (day: string) =>
  fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      leaf(day),
      fc.record({ all: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ any: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ not: tie('node') }),
    ),
  })).node

const cases = fc.constantFrom(...places).chain(({ timeZone, day }) =>
  fc.record({
    events: fc.array(told(day), { maxLength: 10 }),
    profiles: fc.dictionary(fc.constantFrom(...names), profile, { maxKeys: 3 }),
    calendar: fc.record({
      timeZone: fc.constant(timeZone),
      weekStart: fc.constant('monday'),
      now: fc.constant(new Date(`${day}T09:20:00Z`)),
    }),
    picked: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
    definition: definition(day),
  }),
)

type Case = typeof cases extends fc.Arbitrary<infer One> ? One : never

const buyers: CohortDefinition = { did: { event: 'buy' } }

test(`the engine and a pencil agree on ${caseCount} small cohorts`, async () => {
  await expectAgreement<Case, number>({
    cases,
    prepare: async (all) => {
      const projects = await testEngine.addProjects(all.map(({ events }) => events as TestEvent[])) // absent and undefined are the same to it
      const rows = all.flatMap(({ profiles }, i) =>
        Object.entries(profiles).map(([name, properties]) => profileRow(projects[i] ?? 0, name, properties)),
      )
      await testEngine.fill('persons', rows)
      return projects
    },
    agree: async ({ events, profiles, calendar, picked, definition: made }, project) => {
      // the arbitraries make no others
      const wanted = made as CohortDefinition
      const people = {
        events: events as TestEvent[],
        profiles: profiles as PlainCohortWorld['profiles'],
        calendar: calendar as Calendar,
        cohorts: { picked, buyers },
      }
      const membership = new Map<string, CohortDefinition | string[]>([
        ['picked', picked.map(uuidFor)],
        ['buyers', buyers],
      ])
      const reader = cohortReader(membership)
      const scope = testEngine.scope(project, people.calendar, { cohort: (id) => reader(id, scope) })
      const rows = await scope.run<{ person_id: string }>(personsFitting(wanted, membership, scope))

      const messages = names.filter((name) => rows.some(({ person_id }) => uuidFor(name) === person_id))
      expect(messages).toEqual(expectedMembers(wanted, people))
    },
  })
})

const profileRow = (project: number, name: string, properties: object) => ({
  project_id: project,
  person_id: uuidFor(name),
  properties,
  is_identified: 1,
  created_at: '2026-01-01 00:00:00.000',
  version: 1,
  is_deleted: 0,
})
