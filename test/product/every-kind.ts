import * as fc from 'fast-check'
import { sql } from '#engine/sql'
import { readQuery } from '#insights/ask'
import { cohortReader } from '#insights/people/internal/cohort-members'
import type { KindName } from '#insights/answered-query'
import { mathNames, mathWords } from '#insights/measures/maths'
import type { QueryScope } from '#insights/scope'
import { WrittenSql } from '#insights/kinds/sql/internal/written-sql'
import type { CohortDefinition } from '#persons/cohort'
import type { CohortMembership } from '#persons/cohorts/cohorts'
import { type TestEngine, type TestEvent, uuidFor } from './test-engine'
import { daysFrom, hoursFrom } from '../random/random-stories'

/** The Monday about which these stories and queries are. */
const day = '2026-03-02'

/** The person that an id is merged into, in stories that report merges. */
export const mergedInto: Readonly<Record<string, string>> = { 'ana-phone': 'ana', 'ben-phone': 'ben' }

const eventArbitrary = fc.record(
  {
    person: fc.constantFrom('ana', 'ana-phone', 'ben', 'ben-phone', 'cleo'),
    event: fc.constantFrom(
      'a',
      'b',
      'c',
      '$pageview',
      '$pageview',
      '$web_vitals',
      '$feature_flag_called',
      'survey shown',
      'survey sent',
    ),
    session: fc.constantFrom('one', 'two', 'three'),
    columns: fc.record({
      path: fc.constantFrom('/a', '/b', '/blog/c'),
      country: fc.constantFrom('DE', 'FR'),
      browser: fc.constantFrom('Firefox', 'Chrome', ''),
      source: fc.constantFrom('Google', 'Bing', ''),
      channel: fc.constantFrom('Organic Search', 'Direct', ''),
      revenue: fc.constantFrom(0, 0, 5, 7),
      scroll_depth: fc.constantFrom(0, 30, 80),
      traffic: fc.constantFrom('human', 'human', 'human', 'human', 'human', 'bot'),
    }),
    groups: fc.constantFrom<Record<string, string>>({ company: 'u' }, { company: 'v' }, {}),
    properties: fc.record(
      { plan: fc.constantFrom('p', 'q', ''), price: fc.constantFrom('3', '10', 'free') },
      { requiredKeys: [] },
    ),
    vital: fc.constantFrom('900', '2600', '5000'),
    got: fc.constantFrom('x', 'true', 'false'),
  },
  { requiredKeys: ['person', 'event', 'columns', 'groups', 'properties', 'vital', 'got'] },
)

/** No two things at the same instant: which came first would be decided by ids, and those are another project's. */
const quarter = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 24 }) },
  { weight: 1, arbitrary: fc.integer({ min: -200, max: 400 }) },
)

export const stories = (most: number): fc.Arbitrary<TestEvent[]> =>
  fc
    .uniqueArray(fc.tuple(quarter, eventArbitrary), { maxLength: most, size: 'max', selector: ([at]) => at })
    .map((events) => events.map(([at, one]) => eventAt(at, one)))

function eventAt(
  at: number,
  { vital, got, session, ...one }: typeof eventArbitrary extends fc.Arbitrary<infer H> ? H : never,
) {
  const when = hoursFrom(day, at / 4).toISOString()
  const properties: Record<string, string> = {
    ...one.properties,
    ...(one.event === '$web_vitals' && { $web_vitals_LCP_value: vital }),
    ...(one.event.startsWith('survey') && {
      $survey_id: 'survey',
      $survey_response_score: vital.slice(0, 1),
    }),
    ...(one.event === '$feature_flag_called' && { $feature_flag: 'flag', $feature_flag_response: got }),
  }
  return {
    ...one,
    at: when,
    distinctId: one.person,
    // by the day, so that none lasts longer
    ...(session && { session: `${session} ${when.slice(0, 10)}` }),
    properties,
  }
}

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 })

const conditions = fc.constantFrom<object>(
  { type: 'event', key: 'plan', operator: 'exact', value: ['p'] },
  { type: 'event', key: '$browser', operator: 'is_set' },
  { type: 'person', key: 'tier', operator: 'exact', value: ['pro'] },
  { type: 'person', key: 'tier', operator: 'is_not_set' },
  { type: 'person', key: '$initial_source', operator: 'exact', value: ['Google'] },
  { type: 'person', key: '$initial_channel_type', operator: 'is_set' },
  { type: 'group', group: 'company', key: '$group_key', operator: 'exact', value: ['u'] },
  { type: 'group', group: 'company', key: 'size', operator: 'gt', value: 5 },
  { type: 'session', key: '$entry_pathname', operator: 'is_not', value: ['/a'] },
  { type: 'session', key: '$pageview_count', operator: 'gte', value: 1 },
  { type: 'cohort', cohort: 'picked', operator: 'in' },
  { type: 'cohort', cohort: 'doers', operator: 'not_in' },
  { type: 'cohort', cohort: 'pros', operator: 'in' },
)

const filters = fc.oneof(
  { weight: 3, arbitrary: conditions },
  { weight: 1, arbitrary: fc.record({ any: fc.tuple(conditions, conditions) }) },
  { weight: 1, arbitrary: fc.record({ all: fc.tuple(conditions, conditions) }) },
)

const eventMatchers = fc.record({
  event: fc.constantFrom('a', 'b', '$pageview', null),
  filter: maybe(filters),
})

const breakdowns = fc.constantFrom<object>(
  { type: 'event', key: 'plan' },
  { type: 'event', key: 'price', bins: 2 },
  { type: 'person', key: 'tier' },
  { type: 'person', key: '$initial_source' },
  { type: 'group', group: 'company', key: '$group_key' },
  { type: 'group', group: 'company', key: 'size' },
  { type: 'session', key: '$entry_pathname' },
  { type: 'cohort', cohorts: ['picked', 'doers', 'pros'] },
)

const asked = {
  period: fc.constantFrom(
    `${day}..${day}`,
    `${day}..${daysFrom(day, 2)}`,
    `${daysFrom(day, -2)}..${daysFrom(day, 1)}`,
  ),
  filter: maybe(filters),
  traffic: fc.constantFrom('human', 'human', 'all', 'bot'),
  withoutTestAccounts: fc.boolean(),
}
const compare = fc.constantFrom(undefined, undefined, 'previous')
const per = fc.constantFrom<unknown>('person', 'person', { group: 'company' })
const limit = fc.integer({ min: 1, max: 3 })

const measures = fc.constantFrom(...mathNames).map((math) => {
  const { needs } = mathWords(math)
  return {
    math,
    ...(needs === 'property' && { property: { type: 'event', key: 'price' } }),
    ...(needs === 'group' && { group: 'company' }),
  }
})

const goals = fc.oneof(
  fc.constantFrom<object>(
    { type: 'page', path: '/blog/*' },
    { type: 'scroll', path: '/b', depth: 50 },
    { type: 'revenue' },
  ),
  fc.record({ type: fc.constant('event'), event: fc.constantFrom('a', 'b'), filter: maybe(filters) }),
)

const somePages = fc.constantFrom([['/a']], [['/a', '/b'], ['/blog/c']])

const steps = fc.array(eventMatchers, { minLength: 2, maxLength: 3 })
const funnel = {
  ...asked,
  steps,
  order: fc.constantFrom('ordered', 'ordered', 'strict', 'unordered'),
  window: fc.constantFrom({ amount: 1, unit: 'hour' }, { amount: 2, unit: 'day' }),
  exclusions: fc.array(
    fc.record({ event: fc.constant('c'), filter: maybe(filters), from: fc.constant(0), to: fc.constant(1) }),
    {
      maxLength: 1,
    },
  ),
}

const statements = [
  'select event, person_id, count() as n from events group by event, person_id order by event, person_id',
  'select person_id, properties from persons order by person_id',
  'select count() from sessions',
  'select type, key, properties from groups order by type, key',
]

/** The least that each kind must be told. */
export const least: Record<KindName, Record<string, unknown>> = {
  trend: { series: [{ event: 'a' }] },
  funnel: { steps: [{ event: 'a' }, { event: 'b' }] },
  correlation: { steps: [{ event: 'a' }, { event: 'b' }] },
  totals: {},
  breakdown: { dimensions: ['entry', 'page'] },
  lifecycle: {},
  retention: {},
  stickiness: {},
  paths: {},
  vitals: {},
  goals: { goals: [{ type: 'page', path: '/a' }] },
  exposures: {},
  'guard-metric': { flag: 'f', outcome: { type: 'times', happening: { event: 'a' } } },
  reading: {},
  attribution: { goal: { type: 'event', event: 'a' } },
  trial: { flag: 'f', variants: ['a', 'b'], pages: [['/a']] },
  'client-coverage': {},
  survey: { survey: 's', versions: [{ version: 1, from: '2026-01-01T00:00:00Z', questions: [] }] },
  experiment: { flag: 'f', variants: ['a', 'b'], phases: ['2026-03-01T00:00:00Z'] },
  'experiment-exposures': { flag: 'f', variants: ['a', 'b'], phases: ['2026-03-01T00:00:00Z'] },
  sql: { text: 'select count() from events' },
}

const shapes: Record<KindName, Record<string, fc.Arbitrary<unknown>>> = {
  trend: {
    ...asked,
    series: fc.array(
      fc.record({ event: fc.constantFrom('a', 'b', null), filter: maybe(filters), measure: measures }),
      { minLength: 1, maxLength: 2 },
    ),
    interval: fc.constantFrom('hour', 'day', 'week'),
    breakdowns: fc.array(breakdowns, { maxLength: 2 }),
    compare,
    cumulative: fc.boolean(),
    limit,
  },
  funnel: {
    ...funnel,
    per: fc.oneof(per, fc.constant('session')),
    breakdown: maybe(breakdowns),
    attribution: fc.constantFrom<unknown>('first', 'last', 'all steps', { step: 1 }),
    view: fc.constantFrom('steps', 'trend', 'time'),
    compare,
    limit,
  },
  correlation: {
    ...funnel,
    by: fc.constantFrom('event', 'event property', 'person property'),
    leastPersons: fc.constantFrom(1, 2),
  },
  totals: { ...asked, goal: maybe(goals), compare, interval: fc.constantFrom('hour', 'day') },
  breakdown: {
    ...asked,
    dimensions: fc.uniqueArray(fc.constantFrom('entry', 'channel', 'country', 'page', 'event'), {
      minLength: 1,
      maxLength: 3,
    }),
    goal: maybe(goals),
    compare,
    details: fc.boolean(),
    limit,
  },
  lifecycle: { ...asked, happening: eventMatchers, interval: fc.constantFrom('hour', 'day', 'week') },
  retention: {
    ...asked,
    target: eventMatchers,
    returning: maybe(eventMatchers),
    mode: fc.constantFrom('first-ever', 'first-in-period', 'recurring'),
    minimum: fc.constantFrom(1, 2),
    rolling: fc.boolean(),
    per,
    breakdown: maybe(breakdowns),
    limit,
  },
  stickiness: {
    ...asked,
    series: fc.array(eventMatchers, { minLength: 1, maxLength: 2 }),
    interval: fc.constantFrom('hour', 'day'),
    per,
    compare,
  },
  paths: {
    ...asked,
    of: fc.constantFrom('pages', 'events'),
    start: maybe(fc.constantFrom('/a', 'a')),
    per: fc.constantFrom('session', 'person'),
    top: limit,
  },
  vitals: { ...asked, vital: fc.constantFrom('LCP', 'CLS') },
  goals: { ...asked, goals: fc.array(goals, { minLength: 1, maxLength: 3 }), compare },
  exposures: { ...asked, flags: maybe(fc.constant(['flag'])) },
  'guard-metric': {
    ...asked,
    flag: fc.constant('flag'),
    variant: maybe(fc.constantFrom('x', 'true')),
    outcome: fc.oneof(
      fc.record({ type: fc.constant('reached'), goal: goals }),
      fc.record({ type: fc.constant('times'), happening: eventMatchers }),
      fc.constant({ type: 'measured', event: '$web_vitals', property: '$web_vitals_LCP_value' }),
    ),
    over: maybe(fc.constantFrom(0, 1, 2000)),
  },
  experiment: {
    ...asked,
    flag: fc.constant('flag'),
    variants: fc.constantFrom(['x', 'true'], ['true', 'x', 'false']),
    phases: fc.constantFrom(['2026-03-01T00:00:00Z'], ['2026-03-01T00:00:00Z', '2026-03-02T02:00:00Z']),
    exposure: fc.constantFrom({ by: 'flag' }, { by: 'event', event: 'a', property: 'plan' }),
    unit: fc.constantFrom({ by: 'person' }, { by: 'session' }, { by: 'group', group: 'company' }),
    severalVariants: fc.constantFrom('exclude', 'first'),
    lookbackDays: fc.constantFrom(0, 3),
    metrics: fc.array(
      fc.oneof(
        fc.record({ type: fc.constant('conversion'), happening: eventMatchers }),
        fc.record({ type: fc.constant('total'), amount: fc.record({ happening: eventMatchers }) }),
        fc.record({
          type: fc.constant('funnel'),
          steps: fc.array(eventMatchers, { minLength: 2, maxLength: 3 }),
        }),
      ),
      { maxLength: 3 },
    ),
  },
  'experiment-exposures': {
    ...asked,
    flag: fc.constant('flag'),
    variants: fc.constantFrom(['x', 'true'], ['true', 'x', 'false']),
    phases: fc.constantFrom(['2026-03-01T00:00:00Z'], ['2026-03-01T00:00:00Z', '2026-03-02T02:00:00Z']),
    exposure: fc.constantFrom({ by: 'flag' }, { by: 'event', event: 'a', property: 'plan' }),
    unit: fc.constantFrom({ by: 'person' }, { by: 'session' }, { by: 'group', group: 'company' }),
    severalVariants: fc.constantFrom('exclude', 'first'),
    metric: maybe(fc.record({ type: fc.constant('conversion'), happening: eventMatchers })),
  },
  reading: {
    ...asked,
    pages: maybe(somePages),
    interval: fc.constantFrom('hour', 'day', 'week'),
    details: fc.boolean(),
    limit,
  },
  attribution: {
    ...asked,
    goal: goals,
    pages: maybe(somePages),
    attribution: fc.constantFrom('first', 'last'),
    days: fc.constantFrom(1, 30),
    limit,
  },
  trial: {
    ...asked,
    flag: fc.constant('flag'),
    variants: fc.constantFrom(['x'], ['x', 'true'], ['x', 'true', 'false']),
    pages: somePages,
    days: fc.constantFrom(1, 7),
  },
  'client-coverage': { ...asked, flag: maybe(fc.constant('flag')) },
  survey: {
    ...asked,
    survey: fc.constant('survey'),
    versions: fc.constant([
      {
        version: 1,
        from: '2026-01-01T00:00:00Z',
        questions: [{ id: 'score', kind: 'rating', least: 0, most: 10 }],
      },
    ]),
    interval: maybe(fc.constantFrom('hour', 'day')),
    breakdown: maybe(breakdowns),
    limit,
  },
  sql: { period: asked.period, text: fc.constantFrom(...statements) },
}

/** Of a kind, queries that say whatever can be said, and can be answered. */
export const queriesOf = (kind: KindName): fc.Arbitrary<object> =>
  fc.record({ kind: fc.constant(kind), ...shapes[kind] }).filter((query) => readQuery(query).done)

/** The points of an answer that may have persons behind them. */
export const pointsOf: Partial<Record<KindName, readonly object[]>> = {
  trend: [{ series: 0 }, { series: 0, bucket: 0 }, { series: 0, isOthers: true }],
  funnel: [
    { step: 0, outcome: 'converted' },
    { step: 1, outcome: 'converted' },
    { step: 1, outcome: 'dropped' },
  ],
  correlation: [{ name: 'c', outcome: 'converted' }],
  lifecycle: [
    { bucket: 0, state: 'new' },
    { bucket: 1, state: 'dormant' },
  ],
  retention: [
    { cohort: 0, interval: 0 },
    { cohort: 0, interval: 1, returned: false },
  ],
  stickiness: [{ series: 0, n: 1 }],
  goals: [{ goal: 0 }],
  paths: [{ node: '1:/a' }, { node: '1:' }, { dropOff: '1:/b' }],
  totals: [{}, { bucket: 0 }],
  breakdown: [
    { dimension: 'page', value: '/a' },
    { dimension: 'country', value: null },
  ],
}

/** Inserts the known properties of some of the persons and groups, as the engine's tables have them. */
export async function insertProperties(
  testEngine: TestEngine,
  projects: readonly number[],
  tierOf: Readonly<Record<string, string>>,
): Promise<void> {
  const known = (project_id: number) => ({ project_id, created_at: '2026-01-01 00:00:00.000', version: 1 })
  const persons = projects.flatMap((project) =>
    Object.entries(tierOf).map(([name, tier]) => ({
      ...known(project),
      person_id: uuidFor(name),
      properties: { tier },
      is_identified: 1,
      is_deleted: 0,
    })),
  )
  const groups = projects.map((project) => ({
    ...known(project),
    type: 'company',
    key: 'u',
    properties: { size: '10' },
  }))
  await Promise.all([testEngine.fill('persons', persons), testEngine.fill('groups', groups)])
}

export const tiers = { ana: 'pro', ben: 'free' }

export async function insertMerges(
  testEngine: TestEngine,
  projects: readonly number[],
  merges = mergedInto,
): Promise<void> {
  const rows = projects.flatMap((project) =>
    Object.entries(merges).map(([from, to]) => ({
      project_id: project,
      from_person_id: uuidFor(from),
      to_person_id: uuidFor(to),
      version: 1,
    })),
  )
  await testEngine.fill('person_overrides', rows)
}

const membershipOf = (picked: readonly string[]): CohortMembership =>
  new Map<string, CohortDefinition | readonly string[]>([
    ['picked', picked],
    ['doers', { did: { event: 'a' } }],
    ['pros', { is: { type: 'person', key: 'tier', operator: 'exact', value: 'pro' } }],
  ])

/** As queries are asked in earnest: with cohorts, test accounts and SQL. */
export function wholeScope(
  testEngine: TestEngine,
  project: number,
  hasMerged: boolean,
  picked: readonly string[] = [uuidFor('ana'), uuidFor('cleo')],
): QueryScope {
  const reader = cohortReader(membershipOf(picked))
  const written = new WrittenSql(testEngine.engine())
  const scope: QueryScope = testEngine.scope(
    project,
    {},
    {
      hasMerged,
      cohort: (id) => reader(id, scope),
      testAccounts: { type: 'person', key: 'tier', operator: 'exact', value: 'free' },
      written: (text, period) => written.ask({ projectId: project, hasMerged, text, period }),
    },
  )
  return scope
}

/** All that is said to a query, down to who is behind its numbers; or what a person would read instead. */
export async function fullAnswer(kind: KindName, query: object, scope: QueryScope): Promise<unknown> {
  const read = readQuery(query)
  if (!read.done) return read
  const outcome = await read.ready.answer(scope)
  if (!outcome.done) return outcome
  const { personsBehind } = read.ready
  const behind = (pointsOf[kind] ?? []).map(async (point) => {
    const found = await personsBehind?.(point, scope)
    if (!found?.done) return found
    const rows = await scope.run<{ person: string }>(sql`select person from (${found.statement})`)
    return rows.map(({ person }) => person).toSorted()
  })
  // the amount that the engine read is another matter
  const answer = kind === 'sql' ? outcome.table : outcome.answer
  return { answer, table: outcome.table, behind: await Promise.all(behind) }
}
