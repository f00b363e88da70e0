import { describe, expect, test } from 'vitest'
import { aWorld, testOrigin } from '#test/product/fixture'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import { type Engine, EngineError, type EngineFailure } from '#engine/engine'
import {
  type KeyViewer,
  type MemberViewer,
  AccessRefusedError,
  type Right,
  type Role,
  roles,
  type Viewer,
} from '#projects/access'
import type { Project } from '#projects/project'
import { Insights, readQuery } from './ask'

const testEngine = anEngine()

const story: TestEvent[] = [
  { person: 'ana', event: 'buy', at: '2026-03-01T23:30:00Z' },
  { person: 'ben', event: 'buy', at: '2026-03-02T08:00:00Z' },
]

const query = { kind: 'trend' as const, period: '2026-03-01..2026-03-02', series: [{ event: 'buy' }] }

async function aProject(changes: Partial<Project> = {}): Promise<Project> {
  const id = await testEngine.addProject(story)
  return {
    id,
    slug: `project-${id}`,
    name: 'A project',
    timeZone: 'UTC',
    writeKey: 'tk_write',
    hosts: [],
    siteAddress: '',
    aliases: [],
    intake: {},
    answers: {},
    createdAt: new Date('2026-01-01'),
    archivedAt: undefined,
    ...changes,
  }
}

/** Counts the engine's queries on their way to the real one. */
function insightsOf(projects: readonly Project[], engine?: Pick<Engine, 'query'>) {
  const requests: number[] = []
  const world = aWorld()
  const real: Pick<Engine, 'query'> = {
    query: (statement, limits) => {
      requests.push(1)
      return (engine ?? testEngine.engine()).query(statement, limits)
    },
  }
  const insights = new Insights({
    engine: real,
    projects: { numbered: (id) => projects.find((project) => project.id === id) },
    world,
    cohorts: () => Promise.resolve(() => undefined),
  })
  return { insights, requests, world }
}

const member = (...ofProjects: [Project, Role][]): MemberViewer => ({
  kind: 'member',
  memberId: 'm1',
  name: 'Mo',
  email: 'mo@example.com',
  sessionId: 's1',
  authenticatedAt: new Date('2026-03-02T10:00:00Z'),
  roles: new Map(ofProjects.map(([project, role]) => [project.id, role])),
  origin: testOrigin,
})

const key = ({ id }: Project, ...scopes: Right[]): KeyViewer => ({
  kind: 'key',
  keyId: 'k1',
  name: 'Export',
  projectId: id,
  scopes: new Set(scopes),
  origin: testOrigin,
})

async function refusal(work: Promise<unknown>): Promise<AccessRefusedError> {
  const problem = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (problem instanceof AccessRefusedError) return problem
  throw new Error('It was not refused.', { cause: problem })
}

async function totalOf(
  insights: Insights,
  project: Project,
  viewer: Viewer,
  changes: object = {},
): Promise<number | null> {
  const outcome = await insights.ask(project.id, { ...query, ...changes }, viewer)
  if (!outcome.done) throw new Error(outcome.problems[0]?.message)
  const { lines } = outcome.answer
  return lines[0]?.total ?? null
}

describe('who may ask', () => {
  test.each(roles)('a member who is %s gets the answer', async (role) => {
    const project = await aProject()

    expect(await totalOf(insightsOf([project]).insights, project, member([project, role]))).toBe(2)
  })

  test('a key needs the scope for it', async () => {
    const project = await aProject()
    const { insights, requests } = insightsOf([project])

    const refused = await refusal(insights.ask(project.id, query, key(project, 'project:read')))

    expect(refused.reason).toBe('not-allowed')
    expect(refused.message).toContain('"events:read"')
    expect(requests).toEqual([])
    expect(await totalOf(insights, project, key(project, 'events:read'))).toBe(2)
  })

  test.each<[string, (own: Project) => Viewer]>([
    ['a member', (own) => member([own, 'owner'])],
    ['a key', (own) => key(own, 'project:read', 'events:read', 'sql:read')],
  ])('%s of another project learns not even that there is one', async (_, viewerOf) => {
    const [own, other] = [await aProject(), await aProject()]
    const { insights, requests } = insightsOf([own, other])
    const viewer = viewerOf(own)
    const point = { series: 0 }

    const refusals = await Promise.all(
      [other.id, 999_999].flatMap((id) => [
        refusal(insights.ask(id, query, viewer)),
        refusal(insights.ask(id, query, viewer, { explain: true })),
        refusal(insights.peopleBehind(id, query, point, viewer)),
        refusal(insights.scope(id, viewer)),
        refusal(insights.ask(id, { kind: 'nonsense' }, viewer)),
      ]),
    )

    expect(new Set(refusals.map(({ reason, message }) => `${reason}: ${message}`))).toEqual(
      new Set(['not-found: There is no such project.']),
    )
    expect(requests).toEqual([])
  })

  test('an answer is about the events of its own project alone', async () => {
    const [one, other] = [await aProject(), await aProject()]
    const { insights } = insightsOf([one, other])

    const viewer = member([one, 'viewer'], [other, 'viewer'])

    expect(await Promise.all([totalOf(insights, one, viewer), totalOf(insights, other, viewer)])).toEqual([
      2, 2,
    ])
  })
})

describe('how it was found out', () => {
  test.each([
    // role      may see it
    ['owner', true],
    ['admin', true],
    ['editor', true],
    ['viewer', false],
  ] as const)('a member who is %s: %j', async (role, mayExplain) => {
    const project = await aProject()
    const { insights } = insightsOf([project])

    const asking = insights.ask(project.id, query, member([project, role]), { explain: true })

    if (!mayExplain) {
      expect((await refusal(asking)).reason).toBe('not-allowed')
      return
    }
    expect(await asking).toMatchObject({
      done: true,
      explained: expect.arrayContaining([expectedExplanation(project)]),
    })
  })

  test('nothing is explained to who did not ask for it', async () => {
    const project = await aProject()

    const outcome = await insightsOf([project]).insights.ask(project.id, query, member([project, 'owner']))

    expect(outcome).not.toHaveProperty('explained')
  })

  test('also while the same is being answered to someone else', async () => {
    const project = await aProject()
    const { insights } = insightsOf([project])
    const viewer = member([project, 'owner'])

    const [, outcome] = await Promise.all([
      insights.ask(project.id, query, viewer),
      insights.ask(project.id, query, viewer, { explain: true }),
    ])

    expect(outcome).toMatchObject({ explained: expect.arrayContaining([expectedExplanation(project)]) })
  })
})

const expectedExplanation = ({ id }: Project): unknown => ({
  sql: expect.stringMatching(/from events\s+where events\.project_id = \{p\d+:UInt64\}/),
  parameters: expect.toSatisfy((parameters: object) => Object.values(parameters).includes(id)),
  rowsRead: expect.any(Number),
  bytesRead: expect.any(Number),
  tookMs: expect.any(Number),
})

describe('what cannot be answered', () => {
  const viewerOf = (project: Project) => member([project, 'owner'])

  test.each<[EngineFailure, RegExp]>([
    ['deadline', /longer than 30 seconds.*shorter date range/],
    ['memory', /more memory.*shorter date range/],
  ])('after the engine gave up for %s there is a sentence', async (failure, sentence) => {
    const project = await aProject()
    const engine = { query: () => Promise.reject(new EngineError(failure, 'It gave up.')) }

    const asking = insightsOf([project], engine).insights.ask(project.id, query, viewerOf(project))

    await expect(asking).rejects.toMatchObject({ failure, message: expect.stringMatching(sentence) })
  })

  test.each([
    ['led', { pages: [['/blog/a']], goal: { type: 'page', path: '/signed-up' } }],
    ['seen', {}],
    ['sides', undefined],
  ])('the earlier kind name %s is still read', (kind, rest) => {
    const outcome = readQuery({ kind, ...rest })
    const messages = outcome.done ? [] : outcome.problems.map(({ message }) => message)
    expect(messages.join(' ')).not.toContain('Say which kind')
    if (rest) expect(outcome).toMatchObject({ done: true })
  })

  test('an engine that is away is nothing that a person could fix', async () => {
    const project = await aProject()
    const engine = { query: () => Promise.reject(new EngineError('unavailable', 'It is away.')) }

    const asking = insightsOf([project], engine).insights.ask(project.id, query, viewerOf(project))

    await expect(asking).rejects.toThrow('It is away.')
  })

  test.each<[unknown, string, RegExp]>([
    [undefined, 'kind', /Say which kind of question it is: trend/],
    ['trend', 'kind', /Say which kind/],
    [{ kind: 'constructor' }, 'kind', /Say which kind/],
    [{ ...query, period: 'soon' }, 'period', /Say a period/],
    [{ ...query, series: [] }, 'series', /at least one/],
  ])('%j gets a sentence about its %s', async (input, field, sentence) => {
    const project = await aProject()

    const outcome = await insightsOf([project]).insights.ask(project.id, input, viewerOf(project))

    expect(outcome).toMatchObject({
      done: false,
      problems: [{ field, message: expect.stringMatching(sentence) }],
    })
  })

  test('a real engine that may not take the time says so', async () => {
    const project = await aProject()
    const impatient: Pick<Engine, 'query'> = {
      query: (statement, limits) => testEngine.engine().query(statement, { ...limits, memoryBytes: 1 }),
    }

    const asking = insightsOf([project], impatient).insights.ask(project.id, query, viewerOf(project))

    await expect(asking).rejects.toMatchObject({
      failure: 'memory',
      message: expect.stringMatching(/more memory/),
    })
  })
})

describe('what changes an answer', () => {
  test('the project’s time zone', async () => {
    const project = await aProject()
    const moved = { ...project, timeZone: 'Asia/Kathmandu' }
    const viewer = member([project, 'viewer'])
    const today = { period: '2026-03-02..2026-03-02' }

    expect(await totalOf(insightsOf([project]).insights, project, viewer, today)).toBe(1)
    expect(await totalOf(insightsOf([moved]).insights, moved, viewer, today)).toBe(2)
  })

  test('who works on the product, where the query leaves them out', async () => {
    const testAccounts = { type: 'event', key: 'distinct_id', operator: 'exact', value: 'ana' }
    const project = await aProject({ answers: { testAccounts } })
    const { insights } = insightsOf([project])
    const viewer = member([project, 'viewer'])

    expect(await totalOf(insights, project, viewer)).toBe(2)
    expect(await totalOf(insights, project, viewer, { withoutTestAccounts: true })).toBe(1)
  })
})

describe('who is behind a number', () => {
  test('persons, for a kind that counts them', async () => {
    const project = await aProject()

    const outcome = await insightsOf([project]).insights.peopleBehind(
      project.id,
      { ...query, interval: 'day' },
      { series: 0, bucket: 1 },
      member([project, 'viewer']),
    )

    if (!outcome.done) throw new Error(outcome.problems[0]?.message)
    expect(await outcome.scope.run(outcome.statement)).toHaveLength(1)
  })
})
