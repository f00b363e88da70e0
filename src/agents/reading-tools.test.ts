import { expect, test } from 'vitest'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import { openTestProduct, present, requireDone } from '#test/product/fixture'
import { operator } from '#projects/access'
import { paths } from '#studio/paths'
import { minuteLimits } from './internal/agent-budgets'
import { answerText, linkOf } from './internal/answer-text'
import { DocsIndex } from './internal/docs-index'
import { type NumberByDay, usualDayNote } from './internal/usual-day'
import { agentTools } from './tools'

const engine = anEngine()
const ana = operator('Ana')
const dayMs = 86_400_000

async function aProjectWith(story: (now: number) => TestEvent[]) {
  const { product, world, aProject } = await openTestProduct({ engine: engine.engine() })
  const told = await engine.addProject(story(world.now().getTime()))
  let project = await aProject()
  while (project.id < told) project = await aProject()
  const studio = new URL(`https://tilth.example${paths.project(project.slug)}`)
  const budget = { left: () => ({ ...minuteLimits, seconds: 60 }), spend: () => {} }
  /** The text that an assistant reads. */
  const read = async (name: string, input: Record<string, unknown> = {}) => {
    const tool = present(agentTools.find((one) => one.name === name))
    const call = { product, project, viewer: ana, input: tool.input.parse(input), signal: undefined, budget }
    const outcome = await tool.answer(call)
    return outcome.done
      ? {
          text: answerText(outcome.found, {
            timeZone: project.timeZone,
            currency: 'EUR',
            studio,
            budget: '',
          }),
          path: linkOf(outcome.found.path, studio).replace('https://tilth.example', ''),
        }
      : { text: outcome.problems.map(({ message }) => message).join(' '), path: '' }
  }
  return { product, world, project, read }
}

const at = (now: number, days: number): string => new Date(now - days * dayMs).toISOString()

/** Ten people view the page on the same weekday of nine weeks, and three of the last ten sign up. */
const weeks = (now: number): TestEvent[] =>
  Array.from({ length: 9 }, (_, week) =>
    Array.from({ length: 10 }, (_one, i): TestEvent[] => {
      const person = `p${week}-${i}`
      const days = 1 + 7 * week
      const view = { person, session: person, event: '$pageview', at: at(now, days), columns: { path: '/' } }
      return week === 0 && i < 3
        ? [view, { person, session: person, event: 'signup', at: at(now, days - 0.01) }]
        : [view]
    }).flat(),
  ).flat()

const funnel = { kind: 'funnel', steps: [{ event: '$pageview' }, { event: 'signup' }], period: '7d' }

test('answers say the result, what was counted, and whether the day is usual', async () => {
  const { read } = await aProjectWith(weeks)
  const web = await read('web_overview', { period: '7d' })
  expect(web.text).toMatch(
    /“Visitors” on Sunday, .*: 10, within the usual range of Sundays \(\d+ to \d+, by 8 of them\)\./,
  )
  expect(web.text).toContain('People only, no robots; no filter; every event, no sample.')

  const asked = await read('run_query', { query: funnel })
  expect(asked.text).toMatch(/^3 of 10 people \(30%\) came from “Page view” to “signup”, last 7 days\.\n/)
  expect(asked.text).toMatch(/\nFrom .* until before .*\. Time zone UTC\. Counted at /)

  const trend = { kind: 'trend', series: [{ event: '$pageview' }], period: '7d', compare: 'previous' }
  const filter = { type: 'event', key: '$pathname', operator: 'exact', value: ['/'] }
  const viewed = await read('run_query', { query: { ...trend, filter } })
  expect(viewed.text).toMatch(/^“Page view” stayed at 10, last 7 days\.\n/)
  expect(viewed.text).toMatch(/“Page view” on Sunday, .* within the usual range of Sundays/)
  expect(viewed.text).toMatch(/where .* \//)
})

test('the people behind a number are listed as the studio names them', async () => {
  const { read, project } = await aProjectWith(weeks)
  const point = { step: 1, outcome: 'dropped' }
  const { text, path } = await read('list_persons', { query: funnel, point })
  expect(text).toMatch(/^7 people are behind this number: Dropped off before signup\.\n/)
  expect(text).toMatch(/\n\| [A-Z]\w+ [A-Z]\w+ \| p0-\d \|/)
  expect(path).toBe(paths.personsBehind(project.slug, funnel, point))
  const wrong = await read('list_persons', { query: funnel, point: { step: 'x' } })
  expect(wrong.text).toMatch(/expected|number|outcome/i)
})

test('properties have their values with how often, goals and segments their definition', async () => {
  const { product, project, read } = await aProjectWith((now) =>
    ['a', 'b', 'c'].map((person, i) => ({
      person,
      event: 'order',
      at: at(now, 1),
      properties: { plan: i === 0 ? 'free' : 'pro' },
    })),
  )
  expect((await read('list_properties', { search: 'plan' })).text).toMatch(
    /\| plan \|.*\| pro \(2\), free \(1\) \|/,
  )
  const goal = { type: 'event', event: 'order' }
  requireDone(await product.insights.goals.create(project.id, { name: 'Orders', goal }, ana))
  const filter = { type: 'event', key: '$browser', operator: 'exact', value: ['Firefox'] }
  requireDone(await product.insights.segments.create(project.id, { name: 'Foxes', filter }, ana))
  const { text, path } = await read('list_segments')
  expect(text).toMatch(/^1 goal and 1 segment\./)
  expect(text).toContain('| Orders | goal | {"type":"event","event":"order"} |')
  expect(text).toContain('| Foxes | segment | Browser is Firefox |')
  expect(path).toBe(paths.webView(project.slug, 'goals'))
})

test('a dashboard is read card by card, with alerts and annotations beside it', async () => {
  const { product, project, read } = await aProjectWith(weeks)
  const { slug, id } = project
  const cards = [
    { content: { type: 'question', title: 'Sign-ups', question: funnel } },
    { content: { type: 'text', text: 'Ask Ben | about\nthis' } },
  ]
  const { dashboard } = requireDone(await product.dashboards.create(id, { name: 'Growth', cards }, ana))
  const board = await read('read_dashboard', { id: dashboard.id })
  expect(board.text).toContain('| Sign-ups | 3 of 10 people (30%) came from “Page view” to “signup”')
  expect(board.text).toContain('| Text | Ask Ben about this |')
  expect(board.path).toBe(paths.dashboard(slug, dashboard.id))
  expect((await read('read_dashboard', { id: 'gone' })).text).toBe('There is no such dashboard.')
  const boards = await read('list_dashboards')
  expect([boards.path, boards.text]).toEqual([
    paths.dashboards(slug),
    expect.stringContaining('| Growth | 2 | no |'),
  ])

  const note = { at: '2026-03-01T10:00:00Z', text: 'Release 2' }
  requireDone(await product.insights.annotations.create(id, note, ana))
  const notes = await read('list_annotations', { search: 'release' })
  expect([notes.path, notes.text]).toEqual([
    paths.web(slug),
    expect.stringContaining('| 2026-03-01T10:00:00.000Z | Release 2 | all charts |'),
  ])

  const condition = { type: 'threshold', is: 'below', value: 5, interval: 'day', of: 'complete' }
  const watched = { type: 'event', event: 'signup' }
  const recipients = [{ by: 'webhook', url: 'https://example.com/hook' }]
  requireDone(await product.alerts.create(id, { name: 'Few', watched, condition, recipients }, ana))
  const alerts = await read('list_alerts')
  expect([alerts.path, alerts.text]).toEqual([
    paths.alerts(slug),
    expect.stringContaining('“signup” events of the last complete day are below 5 | Not checked yet |'),
  ])
})

test('an experiment is planned from history, and says how many visitors are still needed', async () => {
  const { product, project, world, read } = await aProjectWith(weeks)
  const { id, slug } = project
  const variants = ['control', 'test'].map((key) => ({ key, percentage: 50 }))
  requireDone(await product.flags.create(id, { key: 'checkout', kind: 'variants', variants }, ana))
  requireDone(await product.flags.turn(id, 'checkout', { isOn: true }, ana))
  const metrics = [{ name: 'Sign-ups', measured: { type: 'conversion', happening: { event: 'signup' } } }]
  const draft = { name: 'Checkout', flag: 'checkout', metrics }
  const planned = await read('plan_experiment', { experiment: draft, history: { event: '$pageview' } })
  expect(planned.text).toMatch(
    /^It needs [\d,]+ visitors in each variant: [\d,]+ in all, (?:about [\d,]+ days|more than a year)\.\n/,
  )

  const { experiment } = requireDone(await product.experiments.create(id, draft, ana))
  const again = await read('plan_experiment', { id: experiment.id, history: { event: '$pageview' } })
  expect([again.path, again.text.split('\n')[0]]).toEqual([
    paths.experimentPlan(slug, experiment.id),
    planned.text.split('\n')[0],
  ])

  requireDone(await product.experiments.start(id, experiment.id, {}, ana))
  const seen = (person: string, variant: string): TestEvent => ({
    person,
    event: '$feature_flag_called',
    at: new Date(world.now().getTime() + 1000).toISOString(),
    properties: { $feature_flag: 'checkout', $feature_flag_response: variant },
  })
  await engine.addEvents(id, [
    seen('c1', 'control'),
    seen('c2', 'control'),
    seen('t1', 'test'),
    seen('t2', 'test'),
  ])
  world.advance('1 hour')
  const { text } = await read('experiment_results', { id: experiment.id })
  const { minimumUnits } = experiment.analysis
  const missing = minimumUnits - 2
  expect(text).toContain(
    `Cannot tell yet: about ${2 * missing} more visitors needed, ${missing} in each variant.`,
  )
})

test('templates of surveys and Tilth’s own documentation are found', async () => {
  const { project, read } = await aProjectWith(() => [])
  const templates = await read('list_survey_templates')
  expect([templates.path, templates.text]).toEqual([
    paths.newSurvey(project.slug),
    expect.stringContaining('| nps | Net promoter score (NPS) |'),
  ])
  const docs = await read('search_docs', { text: 'put experiment results on a dashboard' })
  expect(docs.text).toContain('(docs/experiments.md#on-dashboards)')
  const none = await read('search_docs', { text: 'qwertyuiop' })
  expect(none.text).toMatch(/^The documentation has none of these words/)
})

test('a section is found by its title before its text, and a comment in a fence is no title', () => {
  const text =
    '# Page\nIntro\n## Rollouts & guards\nA line\n```sh\n# no title\n```\n## Other\nrollout rollout\n'
  const index = new DocsIndex([{ file: 'docs/page.md', text }])
  expect(index.find('rollout', 5)).toMatchObject([
    { address: 'docs/page.md#rollouts--guards', title: 'Page › Rollouts & guards' },
    { address: 'docs/page.md#other' },
  ])
  expect(index.find('title', 5)).toMatchObject([{ address: 'docs/page.md#rollouts--guards' }])
})

/** Days from the first on, the last of them a Monday. */
const byDay = (values: number[]): NumberByDay => ({
  name: 'Sign-ups',
  unit: 'number',
  starts: values.map((_, i) =>
    new Date(Date.parse('2026-03-02') - (values.length - 1 - i) * dayMs).toISOString(),
  ),
  values,
})
const mondays = (earlier: number, last: number, noughts = 0) =>
  Array.from({ length: 57 }, (_, i) => (i < noughts ? 0 : i === 56 ? last : i % 7 === 0 ? earlier : 1))

test.each([
  [
    'a day like the others',
    mondays(100, 103),
    /^“Sign-ups” on Monday, .*: 103, within the usual range of Mondays \(.*, by 8 of them\)\.$/,
  ],
  ['a fall', mondays(100, 40), /: 40, below the usual range of Mondays/],
  ['a rise', mondays(100, 190), /: 190, above the usual range of Mondays/],
])('%s is held against the same weekday', (_, values, words) => {
  expect(usualDayNote(byDay(values), 'UTC').join('\n')).toMatch(words)
})

test('with fewer than five weeks since a number began, no day is called usual', () => {
  expect(usualDayNote(byDay(mondays(100, 100, 29)), 'UTC')).toEqual([])
  expect(usualDayNote(byDay([]), 'UTC')).toEqual([])
})
