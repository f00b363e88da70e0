import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { operator } from '#projects/access'
import { codeIn } from '../rules/source-files'
import { anApiProgram } from './api-program'
import { requireDone } from './fixture'
import { anEngine, type TestEvent } from './test-engine'

const engine = anEngine()
const viewer = operator()
const margin = { within: 0.005, above: 100 }
const totals = { kind: 'totals', period: '7d' }
const people = { kind: 'trend', series: [{ event: null, measure: { math: 'persons' } }], period: '7d' }

/** A program at a project with so many visitors that they are counted approximately. */
async function aLargeProject() {
  const program = await anApiProgram({ engine: engine.engine(), exactUpTo: margin.above })
  const yesterday = new Date(program.world.now().getTime() - 86_400_000).toISOString()
  const visits = Array.from({ length: 150 }, (_, i): TestEvent => {
    const person = `person ${i}`
    return { person, session: person, event: '$pageview', at: yesterday, columns: { path: '/' } }
  })
  await engine.addEvents(program.id, visits)
  return program
}

const cards = [
  { content: { type: 'question', title: 'Visitors', question: totals } },
  { content: { type: 'question', title: 'People', question: people } },
]

async function aDashboard({ product, id }: Awaited<ReturnType<typeof aLargeProject>>) {
  return requireDone(await product.dashboards.create(id, { name: 'Growth', cards }, viewer)).dashboard
}

test('the API says the margin of a question and of a saved insight, and leaves it out on request', async () => {
  const { ask } = await aLargeProject()
  const { body } = await ask('POST', '/insights', { name: 'Visitors', question: totals })
  const insight = `/insights/${String(body.id)}/ask`
  for (const [path, sent] of [
    ['/query', { question: totals }],
    [insight, undefined],
  ] as const) {
    const answer = (await ask('POST', path, sent)).body
    expect(answer.approximate).toEqual(margin)
    expect(answer.columns).toContainEqual({ name: 'Visitors', as: 'number', within: margin.within })
    const exact = (await ask('POST', `${path}?exact`, sent)).body
    expect(exact).not.toHaveProperty('approximate')
    expect(exact.rows).toEqual(answer.rows)
  }
})

test('cards of dashboards and shares are approximate where the page shows the margin, each by itself', async () => {
  const program = await aLargeProject()
  const { product, id } = program
  const dashboard = await aDashboard(program)
  const subject = { kind: 'dashboard', id: dashboard.id }
  const { token } = requireDone(await product.shares.create(id, { subject }, viewer))
  const opened = await product.shares.visit(token, undefined)
  if (opened.state !== 'open' || opened.shared.kind !== 'board') throw new Error('It is no board.')
  for (const ask of [product.dashboards.asking(id, {}, viewer, 'one page'), opened.shared.ask]) {
    // at once, as the cards of a page are asked
    const answers = await Promise.all(
      [true, false, true].flatMap((showsMargin) =>
        dashboard.cards.map(async (card) => requireDone(await ask(card, { showsMargin }))),
      ),
    )
    expect(answers.map((one) => one.kind === 'question' && one.answered.approximate)).toEqual([
      margin,
      margin,
      undefined,
      undefined,
      margin,
      margin,
    ])
  }
})

test('reports say the margin beside each number of persons, and beside no other', async () => {
  const program = await aLargeProject()
  const { product, id } = program
  const figuresAbout = async (about: object) => {
    const recipients = [{ by: 'mail', address: 'eve@example.com' }]
    const { reports } = product.alerts
    const { report } = requireDone(
      await reports.create(id, { name: 'Our day', about, every: 'day', recipients }, viewer),
    )
    return requireDone(await reports.preview(id, report.id, viewer)).figures
  }

  const web = await figuresAbout({ type: 'web' })
  expect(web.figures.filter(({ value }) => value.includes('±'))).toEqual([
    expect.objectContaining({ label: 'Visitors', value: '150 ±0.5 %' }),
  ])
  expect(web.lists.map(({ counted }) => counted)).toEqual(web.lists.map(() => 'Visitors ±0.5 %'))

  const { id: dashboard } = await aDashboard(program)
  expect((await figuresAbout({ type: 'dashboard', dashboard })).lists).toMatchObject([
    { title: 'Visitors', counted: 'Visitors ±0.5 %' },
    { title: 'People', rows: [{ value: '150 ±0.5 %' }] },
  ])
})

const root = resolve(import.meta.dirname, '../..')

/** The files that ask for approximate numbers. Callers that do not say `showsMargin` are exact. */
const asking = codeIn(root, 'src')
  .filter((path) => !/\.(?:test|contract|cases)\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  .filter(({ text }) => /\bshowsMargin: (?!options\?)|\bask(?:WithMargin|Overview|Goals|Panel)\(/.test(text))

test('every file that asks for approximate numbers also shows what they are', () => {
  expect(asking.length).toBeGreaterThan(8)
  const silent = asking.filter(({ text }) => !/\bapproximate\b|\banswerBody\b|\baskWithMargin = /.test(text))
  expect(silent.map(({ path }) => path)).toEqual([])
})

test('whatever decides or compares is exact, and so are the APIs of other products', () => {
  const deciding =
    /^src\/(?:experiments|flags|findings|posts|surveys|api\/(?:posthog|plausible|umami)|alerts\/(?!internal\/report-))/
  expect(asking.map(({ path }) => path).filter((path) => deciding.test(path))).toEqual([])
})
