import * as fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { caseCount } from '#test/random/differential'
import {
  mergedInto,
  fullAnswer,
  queriesOf,
  stories,
  insertMerges,
  insertProperties,
  tiers,
  wholeScope,
} from '#test/product/every-kind'
import { anEngine, type TestEvent, uuidFor } from '#test/product/test-engine'
import { operator } from '#projects/access'
import { testSeed } from '#test/random/chance'
import { kindNames } from './internal/kinds'
import { Catalogue } from './catalogue/catalogue'
import { NameSuggestions } from './text/name-suggestions'
import { groupPageOf } from './people/internal/groups'
import { personEvents } from './people/internal/person'
import { listPersons } from './people/person-list'
import { sentEvents, sentEventsQuery } from './people/sent-events'
import type { QueryScope } from './scope'

const tested = anEngine()

const [ours = [], theirEvents = []] = fc.sample(stories(60), { numRuns: 2, seed: testSeed })
const queriesEach = Math.ceil(caseCount / 250)

/** The answers for a project while it is alone, and again beside another with the same names for everything. */
const recorded: Record<'alone' | 'beside', Map<string, unknown>> = { alone: new Map(), beside: new Map() }

beforeAll(async () => {
  const project = await tellOurs()
  await askEverything(project, recorded.alone)
  await tellOthers()
  await askEverything(project, recorded.beside)
})

async function tellOurs(): Promise<number> {
  const project = await tested.addProject(ours)
  await Promise.all([insertProperties(tested, [project], tiers), insertMerges(tested, [project], mergedInto)])
  return project
}

/** Tells a story of the same persons, sessions, groups and properties, in which it all went another way. */
async function tellOthers(): Promise<void> {
  const secret: TestEvent = {
    person: 'ana',
    event: 'secret',
    at: 1,
    properties: { plan: 'secret', secret: 'secret' },
  }
  const project = await tested.addProject([...theirEvents, secret])
  await insertProperties(tested, [project], { ana: 'free', cleo: 'pro', ben: 'secret' })
  await insertMerges(tested, [project], { ana: 'cleo', 'ben-phone': 'ana' })
  const group = { type: 'company', key: 'v', properties: { size: '99', secret: 'secret' }, version: 9 }
  await tested.fill('groups', [{ project_id: project, created_at: '2026-01-01 00:00:00.000', ...group }])
}

async function askEverything(project: number, answers: Map<string, unknown>): Promise<void> {
  const scope = wholeScope(tested, project, true)
  for (const kind of kindNames) {
    const requests: unknown[] = []
    for (const query of fc.sample(queriesOf(kind), { numRuns: queriesEach, seed: testSeed }))
      requests.push({ question: query, answer: await fullAnswer(kind, query, scope) })
    answers.set(kind, requests)
  }
  for (const [name, ask] of Object.entries(lists)) answers.set(name, await ask(scope))
}

test.each(kindNames)('%s: a project beside another is answered as if it were alone', (kind) => {
  expect(recorded.beside.get(kind)).toEqual(recorded.alone.get(kind))
  expect(recorded.alone.get(kind)).toHaveLength(queriesEach)
})

const viewer = operator()
const everyType = ['event', 'person', 'group', 'session']
const naming = (scope: QueryScope) =>
  new NameSuggestions({ scope: async () => scope }, { list: async () => [] })

const catalogueOf = (scope: QueryScope) =>
  new Catalogue({
    insights: { scope: async () => scope },
    names: naming(scope),
    definitions: { list: async () => [] },
  })

const lists: Record<string, (scope: QueryScope) => Promise<unknown>> = {
  'names of events': (scope) => naming(scope).events(scope.projectId, viewer),
  'names of properties': (scope) => naming(scope).properties(scope.projectId, { of: everyType }, viewer),
  'events of the catalogue': (scope) => catalogueOf(scope).events(scope.projectId, viewer),
  'properties of the catalogue': (scope) => catalogueOf(scope).properties(scope.projectId, viewer),
  'types of groups': (scope) => naming(scope).groupTypes(scope.projectId, viewer),
  'values of an event’s property': (scope) => valuesOf(scope, { type: 'event', key: 'plan' }),
  'values of a person’s property': (scope) => valuesOf(scope, { type: 'person', key: 'tier' }),
  'values of a group’s property': (scope) =>
    valuesOf(scope, { type: 'group', group: 'company', key: 'size' }),
  'keys of groups': (scope) => valuesOf(scope, { type: 'group', group: 'company', key: '$group_key' }),
  'values of a session’s property': (scope) => valuesOf(scope, { type: 'session', key: '$entry_pathname' }),
  persons: (scope) => listPersons(everybody, scope, undefined, 50),
  'persons found': (scope) => listPersons({ ...everybody, search: 'pro' }, scope, undefined, 50),
  'what somebody did': (scope) => personEvents(scope, { numbers: [uuidFor('ana')] }, { limit: 50 }),
  'events as they were sent': (scope) => sentEvents(scope, allEvents, undefined),
  groups: (scope) => groupPageOf({ type: 'company', search: '', page: 1 }, scope, 50),
}

const allEvents = sentEventsQuery.parse({ from: '2020-01-01T00:00:00Z' })

const everybody = { period: '60d', search: '', sort: 'last', descending: true, page: 1 } as const

const valuesOf = (scope: QueryScope, of: object) => naming(scope).values(scope.projectId, of, viewer)

test.each(Object.keys(lists))('the %s of a project are its own', (name) => {
  expect(recorded.beside.get(name)).toEqual(recorded.alone.get(name))
  expect(recorded.beside.has(name)).toBe(true)
  expect(JSON.stringify(recorded.beside.get(name))).not.toContain('secret')
})
