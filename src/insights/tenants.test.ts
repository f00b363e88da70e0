import * as fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { caseCount } from '#test/differential'
import {
  mergedInto,
  fullAnswer,
  questionsOf,
  stories,
  insertMerges,
  insertProperties,
  tiers,
  wholeScope,
} from '#test/every-kind'
import { aFreshEngine, type TestEngine, type TestEvent, uuidFor } from '#test/test-engine'
import { operator } from '#projects/access'
import { kindNames } from './kinds'
import { Catalogue } from './catalogue/catalogue'
import { NameSuggestions } from './text/name-suggestions'
import { groupPageOf } from './people/groups'
import { personEvents } from './people/person'
import { listPersons } from './people/person-list'
import { sentEvents, sentEventsQuestion } from './people/sent-events'
import type { QuestionScope } from './scope'

/** The same project twice: alone in its engine, and beside another with the same names for everything. */
const alone = aFreshEngine()
const beside = aFreshEngine()
const scopes: { alone: QuestionScope; beside: QuestionScope }[] = []

const seed = Number(process.env['FC_SEED'] ?? Date.now() % 2 ** 31)
const [ours = [], theirs = []] = fc.sample(stories(60), { numRuns: 2, seed })
const questionsEach = Math.ceil(caseCount / 250)

beforeAll(async () => {
  const [one, other] = await Promise.all([tellOurs(alone), tellOurs(beside)])
  expect(one).toBe(other)
  await tellTheirs()
  scopes.push({ alone: wholeScope(alone, one, true), beside: wholeScope(beside, other, true) })
}, 60_000)

async function tellOurs(room: TestEngine): Promise<number> {
  const project = await room.tell(ours)
  await Promise.all([insertProperties(room, [project], tiers), insertMerges(room, [project], mergedInto)])
  return project
}

/** Of the same persons, sessions, groups and properties, but it all went another way. */
async function tellTheirs(): Promise<void> {
  const secret: TestEvent = {
    person: 'ana',
    event: 'secret',
    at: 1,
    properties: { plan: 'secret', secret: 'secret' },
  }
  const project = await beside.tell([...theirs, secret])
  await insertProperties(beside, [project], { ana: 'free', cleo: 'pro', ben: 'secret' })
  await insertMerges(beside, [project], { ana: 'cleo', 'ben-phone': 'ana' })
  const group = { type: 'company', key: 'v', properties: { size: '99', secret: 'secret' }, version: 9 }
  await beside.fill('groups', [{ project_id: project, created_at: '2026-01-01 00:00:00.000', ...group }])
}

const both = async <Said>(
  ask: (scope: QuestionScope) => Promise<Said>,
): Promise<{ alone: Said; beside: Said }> => {
  const [pair] = scopes
  if (!pair) throw new Error('Nothing was told.')
  const [one, other] = await Promise.all([ask(pair.alone), ask(pair.beside)])
  return { alone: one, beside: other }
}

test.each(kindNames)(
  '%s: a project beside another is answered as if it were alone',
  { timeout: 60_000 },
  async (kind) => {
    for (const question of fc.sample(questionsOf(kind), { numRuns: questionsEach, seed })) {
      const said = await both((scope) => fullAnswer(kind, question, scope))
      expect({ seed, question, said: said.beside }).toEqual({ seed, question, said: said.alone })
    }
  },
)

const viewer = operator()
const everyType = ['event', 'person', 'group', 'session']
const naming = (scope: QuestionScope) =>
  new NameSuggestions({ scope: async () => scope }, { list: async () => [] })

const catalogueOf = (scope: QuestionScope) =>
  new Catalogue({
    insights: { scope: async () => scope },
    names: naming(scope),
    definitions: { list: async () => [] },
  })

test.each<[string, (scope: QuestionScope) => Promise<unknown>]>([
  ['names of events', (scope) => naming(scope).events(scope.projectId, viewer)],
  ['names of properties', (scope) => naming(scope).properties(scope.projectId, { of: everyType }, viewer)],
  ['events of the catalogue', (scope) => catalogueOf(scope).events(scope.projectId, viewer)],
  ['properties of the catalogue', (scope) => catalogueOf(scope).properties(scope.projectId, viewer)],
  ['types of groups', (scope) => naming(scope).groupTypes(scope.projectId, viewer)],
  ['values of an event’s property', (scope) => valuesOf(scope, { type: 'event', key: 'plan' })],
  ['values of a person’s property', (scope) => valuesOf(scope, { type: 'person', key: 'tier' })],
  [
    'values of a group’s property',
    (scope) => valuesOf(scope, { type: 'group', group: 'company', key: 'size' }),
  ],
  ['keys of groups', (scope) => valuesOf(scope, { type: 'group', group: 'company', key: '$group_key' })],
  ['values of a session’s property', (scope) => valuesOf(scope, { type: 'session', key: '$entry_pathname' })],
  ['persons', (scope) => listPersons(everybody, scope, undefined, 50)],
  ['persons found', (scope) => listPersons({ ...everybody, search: 'pro' }, scope, undefined, 50)],
  ['what somebody did', (scope) => personEvents(scope, { numbers: [uuidFor('ana')] }, { limit: 50 })],
  ['events as they were sent', (scope) => sentEvents(scope, allEvents, undefined)],
  ['groups', (scope) => groupPageOf({ type: 'company', search: '', page: 1 }, scope, 50)],
])('the %s of a project are its own', async (_, ask) => {
  const said = await both(ask)
  expect(said.beside).toEqual(said.alone)
  expect(JSON.stringify(said.beside)).not.toContain('secret')
})

const allEvents = sentEventsQuestion.parse({ from: '2020-01-01T00:00:00Z' })

const everybody = { period: '60d', search: '', sort: 'last', descending: true, page: 1 } as const

const valuesOf = (scope: QuestionScope, of: object) => naming(scope).values(scope.projectId, of, viewer)
