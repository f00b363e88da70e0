import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { aFolder, aWorld, requireDone } from '#test/product/fixture'
import { expectedTotals } from '#test/plain/totals'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import { operator, type Viewer } from '#projects/access'
import { openProduct } from '#server/product'
import { paths } from '#studio/paths'
import { comparisonWords, mostImportant } from './findings'
import type { Finding } from './finding'
import { comparedNumbers } from './internal/compared-numbers'
import { comparedWeeks } from './internal/weeks'

const testEngine = anEngine()

/** The last whole week before the world's Monday, 2 March, and the eight before it. */
const lastWeek = '2026-02-23'
const dayMs = 86_400_000
const weekDay = (weeksBefore: number, day: number): string =>
  new Date(Date.parse(`${lastWeek}T00:00:00Z`) + (day - 7 * weeksBefore) * dayMs).toISOString().slice(0, 10)

/** So many visitors of one week, spread over its days; the first ones sign up. */
const visitors = (
  weeksBefore: number,
  count: number,
  { signups = 0, source = 'Google', from = 0 }: { signups?: number; source?: string; from?: number } = {},
): TestEvent[] =>
  Array.from({ length: count }, (_, i): TestEvent[] => {
    const person = `w${weeksBefore} ${from + i}`
    const at = `${weekDay(weeksBefore, i % 7)}T09:${String(i % 60).padStart(2, '0')}:00Z`
    const visit = { person, session: person, at, columns: { path: '/', source } }
    return [{ ...visit, event: '$pageview' }, ...(i < signups ? [{ ...visit, event: 'signed up' }] : [])]
  }).flat()

const quietWeeks = (count = 8, first = 1): TestEvent[] =>
  Array.from({ length: count }, (_, i) =>
    visitors(first + i, 100 + ((i * 7) % 11), { signups: 20 + (i % 3) }),
  ).flat()

const signUps = { name: 'Sign-ups', goal: { type: 'event', event: 'signed up' } }

async function aProjectOf(events: readonly TestEvent[], viewer: Viewer = operator()) {
  const number = await testEngine.addProject(events)
  const [world, folder] = [aWorld(`findings ${number}`), aFolder()]
  const product = await openProduct({ store: { folder }, world, engine: testEngine.engine() })
  onTestFinished(() => product.close())
  for (let i = 1; i < number; i++) await product.projects.create({ name: `Other ${i}` }, operator())
  const { project } = requireDone(await product.projects.create({ name: 'Acme' }, operator()))
  return {
    product,
    project,
    world,
    folder,
    findings: () => product.findings.ofLastWeek(project.id, viewer),
  }
}

const headlineOf = ({ headline }: Pick<Finding, 'headline'>): string =>
  headline.map((part) => (typeof part === 'string' ? part : part.name)).join('')

describe('the last week', () => {
  test('has nothing unusual where it is as the weeks before', async () => {
    const { product, project, findings } = await aProjectOf([
      ...quietWeeks(),
      ...visitors(0, 104, { signups: 21 }),
    ])
    requireDone(await product.insights.goals.create(project.id, signUps, operator()))
    expect(await findings()).toEqual({
      week: '23 Feb – 1 Mar 2026',
      findings: [],
      none: 'Nothing unusual in the week of 23 Feb – 1 Mar 2026',
      compared: '2 numbers compared with the 8 weeks before. Within the usual range: Visitors, Sign-ups.',
    })
  })

  test('is too early to judge with fewer than five whole weeks before it', async () => {
    const { findings } = await aProjectOf([...quietWeeks(4), ...visitors(0, 900)])
    expect(await findings()).toMatchObject({
      findings: [],
      none: 'Too early to say what is unusual',
      // the first week with visitors may have begun within it
      compared: expect.stringContaining('This project has 3 so far'),
    })
  })

  test('says that a project without events needs weeks', async () => {
    const { findings } = await aProjectOf([])
    expect(await findings()).toMatchObject({ none: 'Too early to say what is unusual', findings: [] })
  })

  test('says what rose, what made it and where to look', async () => {
    const { product, project, findings } = await aProjectOf([
      ...quietWeeks(),
      ...visitors(0, 103, { signups: 21 }),
      ...visitors(0, 120, { source: 'Hacker News', from: 200 }),
    ])
    requireDone(await product.insights.goals.create(project.id, signUps, operator()))
    const { findings: found, compared } = await findings()
    expect(found.map(headlineOf)).toEqual([
      'Visitors +111% against a usual week, most of it by Hacker News',
      'Hacker News is a new source: it brought 54% of the visitors',
    ])
    expect(found[0]?.reason).toMatch(
      /^223 in the week of 23 Feb – 1 Mar 2026; a usual week of the 8 compared has \d+ to \d+\. Source Hacker News: 120 more than in the usual week of .*, all others together \d less\.$/,
    )
    expect(found[0]?.action).toEqual({
      label: 'See the week',
      path: 'web?period=2026-02-23..2026-03-01&source=Hacker+News',
    })
    expect(compared).toContain('Within the usual range: Sign-ups.')
  })

  test('says that a goal fell although visitors are as usual, and leads to the goal', async () => {
    const { product, project, findings } = await aProjectOf([...quietWeeks(), ...visitors(0, 104)])
    const { goal } = requireDone(await product.insights.goals.create(project.id, signUps, operator()))
    const { findings: found } = await findings()
    expect(found.map(headlineOf)[0]).toContain('Sign-ups −100% against a usual week')
    expect(found[0]?.action.path).toContain(`goal=${goal.id}`)
  })

  test('leaves out a goal that rose only as much as visitors did', async () => {
    const { product, project, findings } = await aProjectOf([
      ...quietWeeks(),
      ...visitors(0, 400, { signups: 80 }),
    ])
    requireDone(await product.insights.goals.create(project.id, signUps, operator()))
    const { findings: found } = await findings()
    expect(found.map(headlineOf)).toEqual([expect.stringContaining('Visitors +')])
  })

  test('is read with the viewer’s rights', async () => {
    const stage = await aProjectOf([...quietWeeks(), ...visitors(0, 400)])
    const { product, project } = stage
    const scopes = ['project:read']
    const { text } = requireDone(
      await product.projects.keys.create(project.id, { name: 'Narrow', scopes }, operator()),
    )
    const origin = { address: '203.0.113.0/24', client: 'test', requestId: 'r' }
    const viewer = await product.projects.keys.viewer(text, origin)
    if (!viewer) throw new Error('The key is unknown.')
    expect((await stage.findings()).findings).toHaveLength(1)
    expect((await product.findings.ofLastWeek(project.id, viewer)).findings).toEqual([])
  })

  test('ends with a flag that code no longer asks for', async () => {
    const stage = await aProjectOf([
      ...quietWeeks(),
      ...visitors(0, 104, { signups: 21 }),
      {
        person: 'ana',
        event: '$feature_flag_called',
        at: '2026-01-05T09:00:00Z',
        properties: { $feature_flag: 'legacy-editor', $feature_flag_response: 'true' },
      },
    ])
    const { product, project, folder } = stage
    requireDone(await product.flags.create(project.id, { key: 'legacy-editor' }, operator()))
    const database = new DatabaseSync(join(folder, 'store.db'))
    database.prepare("update flags set created_at = '2025-11-01T00:00:00.000Z'").run()
    database.close()
    const { findings: found } = await stage.findings()
    expect(found.map(headlineOf)).toEqual([expect.stringMatching(/^legacy-editor was /)])
    expect(found[0]?.action).toEqual({ label: 'Open the flag', path: 'flags/legacy-editor' })
  })
})

describe('an experiment', () => {
  /** A thousand people in each variant; of every ten, so many sign up. */
  const exposed = (from: Date, rates: Record<string, number>): TestEvent[] =>
    Object.entries(rates).flatMap(([variant, rate]) =>
      Array.from({ length: 1000 }, (_, i): TestEvent[] => {
        const at = (seconds: number) => new Date(from.getTime() + seconds * 1000).toISOString()
        const person = `${variant} ${i}`
        const properties = { $feature_flag: 'headline', $feature_flag_response: variant }
        return [
          { person, event: '$feature_flag_called', at: at(i % 60), properties },
          ...(i % 10 < rate ? [{ person, event: 'signed up', at: at(60) }] : []),
        ]
      }).flat(),
    )

  async function running(rates: Record<string, number>) {
    const stage = await aProjectOf([])
    const { product, project, world } = stage
    const viewer = operator()
    const variants = Object.keys(rates).map((key) => ({ key, percentage: 50 }))
    const flag = { key: 'headline', kind: 'variants', variants }
    requireDone(await product.flags.create(project.id, flag, viewer))
    requireDone(await product.flags.turn(project.id, 'headline', { isOn: true }, viewer))
    const measured = { type: 'conversion', happening: { event: 'signed up' } }
    const metrics = [{ name: 'Sign-ups', measured }]
    const input = { name: 'Price page', flag: 'headline', metrics, analysis: { lookbackDays: 0 } }
    const { experiment } = requireDone(await product.experiments.create(project.id, input, viewer))
    requireDone(await product.experiments.start(project.id, experiment.id, {}, viewer))
    await testEngine.addEvents(project.id, exposed(world.now(), rates))
    world.advance('1 hour')
    return { ...stage, viewer, experiment: experiment.id }
  }

  test('with a winner is to be shipped until it is', async () => {
    const { product, project, viewer, experiment, findings } = await running({ control: 3, outcome: 6 })
    const [first] = (await findings()).findings
    expect(first && headlineOf(first)).toMatch(
      /^Sign-ups \+\d+(?:\.\d)?% with outcome in Price page: ship it$/,
    )
    expect(first?.reason).toMatch(/^Ship “outcome”: Sign-ups \+/)
    expect(first?.action).toEqual({ label: 'Ship it', path: `experiments/${experiment}` })

    requireDone(await product.experiments.end(project.id, experiment, { outcome: 'undecided' }, viewer))
    expect((await findings()).findings).toEqual([])
  })

  test('whose variants do not differ is not said', async () => {
    const { findings } = await running({ control: 4, outcome: 4 })
    expect((await findings()).findings).toEqual([])
  })
})

test('the numbers are those of a pencil, week by week', async () => {
  const story = [...quietWeeks(), ...visitors(0, 61, { signups: 9 })]
  const { product, project, world } = await aProjectOf(story)
  const calendar = { timeZone: 'UTC', weekStart: 'monday' as const, now: world.now() }
  const weeks = comparedWeeks(calendar)
  const goal = { type: 'event' as const, event: 'signed up' }
  const goals = [
    { id: 'g', projectId: project.id, name: 'Sign-ups', goal, createdBy: '', createdAt: new Date(0) },
  ]
  const { numbers } = await comparedNumbers(
    project.id,
    { weeks, goals, currency: 'EUR', viewer: operator() },
    product.insights,
  )
  const { course } = expectedTotals(
    { period: weeks.all, interval: 'week', goal },
    { project: project.id, events: story, calendar },
  )
  const pencil = (of: 'visitors' | 'conversions') => course.map((figures) => figures[of])
  expect(course).toHaveLength(9)
  expect(numbers.map(({ name, value }) => [name, value])).toEqual([
    ['Visitors', pencil('visitors').at(-1)],
    ['Sign-ups', pencil('conversions').at(-1)],
  ])
  const sorted = (of: 'visitors' | 'conversions') =>
    pencil(of)
      .slice(0, 8)
      .toSorted((one, other) => one - other)
  for (const [i, of] of (['visitors', 'conversions'] as const).entries()) {
    const middle = numbers[i]?.range.middle ?? 0
    expect(middle).toBeGreaterThanOrEqual((sorted(of)[3] ?? 0) - 0.01)
    expect(middle).toBeLessThanOrEqual((sorted(of)[4] ?? 0) + 0.01)
  }
})

const finding = (rule: string, urgency: Finding['urgency']): Finding => ({
  rule,
  urgency,
  headline: [rule],
  reason: '',
  action: { label: '', path: '' },
})

test('three findings are shown: by urgency, then by the order of their rules', () => {
  const found = [
    finding('third', 'tidy'),
    finding('second', 'decide'),
    finding('first', 'decide'),
    finding('third', 'harm'),
  ]
  const order = ['first', 'second', 'third'].map((id) => ({ id }))
  expect(mostImportant(found, order).map(({ rule, urgency }) => `${urgency} ${rule}`)).toEqual([
    'harm third',
    'decide first',
    'decide second',
  ])
})

test('nothing is said of a week whose events are not stored yet', () => {
  const words = comparisonWords({ numbers: [], weeks: 8, isBehind: true }, { words: '16 – 22 Nov 2026' })
  expect(words.none).toBe('The week of 16 – 22 Nov 2026 is not counted yet')
})

test('weeks are those of the project’s time zone and first day', () => {
  const now = new Date('2026-03-02T03:00:00Z')
  // in New York it is still Sunday
  const west = comparedWeeks({ timeZone: 'America/New_York', weekStart: 'monday', now })
  expect([west.last, west.earlier]).toEqual(['2026-02-16..2026-02-22', '2025-12-22..2026-02-15'])
  const sunday = comparedWeeks({ timeZone: 'UTC', weekStart: 'sunday', now })
  expect([sunday.last, sunday.week(7), sunday.all]).toEqual([
    '2026-02-22..2026-02-28',
    '2026-02-15..2026-02-21',
    '2025-12-28..2026-02-28',
  ])
})

test('a finding leads to a page of the studio', () => {
  expect(paths.finding('acme', 'experiments/x1')).toBe(paths.experiment('acme', 'x1'))
})

test('a goal that hardly ever happened has no percentage', async () => {
  const rare = Array.from({ length: 8 }, (_, i) => visitors(1 + i, 100, { signups: i === 7 ? 1 : 0 })).flat()
  const { product, project, findings } = await aProjectOf([...rare, ...visitors(0, 104, { signups: 30 })])
  requireDone(await product.insights.goals.create(project.id, signUps, operator()))
  const { findings: found } = await findings()
  expect(found.map(headlineOf)[0]).toMatch(/^Sign-ups happened, unlike in a usual week/)
})
