import { describe, expect, test, vi } from 'vitest'
import { openTestProduct, requireDone, problemMessages, present } from '#test/product/fixture'
import type { Filter } from '#filters/filter'
import { readQuery } from '#insights/ask'
import { AccessRefusedError, operator } from '#projects/access'
import type { FailedOutcome } from '#projects/problems'
import type { SavedCard } from './dashboard'
import { Dashboards } from './dashboards'
import { createSemaphore } from '#world/slots'
import { withViewOverrides } from './dashboards'
import { templates } from './templates'

const viewer = operator()
const visitors = { kind: 'trend', series: [{ event: '$pageview' }] }
const words = (text: string) => ({ content: { type: 'text', text } })
const asks = (title: string) => ({ content: { type: 'question', title, question: visitors } })

async function aDashboard(cards: readonly object[] = [words('One'), asks('Visitors')]) {
  const fixture = await openTestProduct()
  await fixture.aProject()
  const { dashboards } = fixture.product
  const { dashboard } = requireDone(await dashboards.create(1, { name: 'Growth', cards }, viewer))
  return { ...fixture, dashboards, dashboard }
}

describe('a dashboard', () => {
  test('gives its cards an id and a place, and keeps their queries as their kinds read them', async () => {
    const { dashboard } = await aDashboard()

    expect(dashboard.cards.map(({ place }) => place)).toEqual([
      { x: 0, y: 0, w: 12, h: 2 },
      { x: 0, y: 2, w: 6, h: 5 },
    ])
    expect(dashboard.cards[1]?.content).toMatchObject({
      question: { kind: 'trend', period: '30d', chart: 'line' },
    })
  })

  test.each([
    [
      'a question that cannot be asked',
      { content: { type: 'question', title: 'No', question: { kind: 'funnel' } } },
      /./,
    ],
    ['a question of no kind', { content: { type: 'question', title: 'No', question: {} } }, /./],
    ['an insight that is not there', { content: { type: 'insight', insight: 'none' } }, /no such insight/],
    ['a card beyond the edge', { ...words('a'), place: { x: 10, y: 0, w: 6, h: 3 } }, /12 columns/],
    ['a card of no height', { ...words('a'), place: { x: 0, y: 0, w: 6, h: 0 } }, /./],
  ])('refuses %s with a sentence', async (_, card, sentence) => {
    const { dashboards } = await aDashboard()
    const outcome = await dashboards.create(1, { name: 'More', cards: [card] }, viewer)

    expect(problemMessages(outcome).join(' ')).toMatch(sentence)
  })

  test.each([
    ['a number', { kind: 'trend', series: [{ event: '$pageview' }], chart: 'number' }, { w: 3, h: 3 }],
    ['a list', { kind: 'breakdown', dimensions: ['page'] }, { w: 6, h: 6 }],
    ['a table of cohorts', { kind: 'retention' }, { w: 12, h: 10 }],
  ])('gives %s the room it needs, as a card of its own and as a saved insight', async (_, query, size) => {
    const { product, dashboards } = await aDashboard()
    const { insight } = requireDone(
      await product.insights.saved.create(1, { name: 'It', question: query }, viewer),
    )
    const cards = [
      { content: { type: 'question', title: 'It', question: query } },
      { content: { type: 'insight', insight: insight.id } },
    ]
    const { dashboard } = requireDone(await dashboards.create(1, { name: 'Sizes', cards }, viewer))

    expect(dashboard.cards.map(({ place }) => place)).toMatchObject([size, size])
  })

  test('gives a card the size of its new chart, unless the card was resized', async () => {
    const { dashboards, dashboard } = await aDashboard([asks('Visitors'), asks('Visitors, larger')])
    const [usual, larger] = dashboard.cards.map(({ id }) => id)
    const number = { type: 'question', title: 'Visitors', question: { ...visitors, chart: 'number' } }
    const places = { [present(larger)]: { x: 6, y: 0, w: 6, h: 8 } }
    requireDone(await dashboards.arrange(1, dashboard.id, { places }, viewer))
    requireDone(await dashboards.changeCard(1, dashboard.id, present(usual), number, viewer))
    const changed = requireDone(
      await dashboards.changeCard(1, dashboard.id, present(larger), number, viewer),
    ).dashboard
    const placeOf = (id?: string) => changed.cards.find((card) => card.id === id)?.place

    expect(placeOf(usual)).toMatchObject({ w: 3, h: 3 })
    expect(placeOf(larger)).toMatchObject({ w: 6, h: 8 })
  })

  test('refuses two cards of one id, and more cards than anybody could read', async () => {
    const { dashboards } = await aDashboard()
    const twice = [
      { id: 'a', ...words('1') },
      { id: 'a', ...words('2') },
    ]
    const many = Array.from({ length: 61 }, () => words('a'))

    expect(problemMessages(await dashboards.create(1, { name: 'a', cards: twice }, viewer))).toEqual([
      'Two cards have the same id.',
    ])
    expect(problemMessages(await dashboards.create(1, { name: 'a', cards: many }, viewer))).toEqual([
      'A dashboard has at most 60 cards.',
    ])
  })

  test('can be arranged in another way, and every layout comes back', async () => {
    const { dashboards, dashboard } = await aDashboard()
    const [first, second] = dashboard.cards.map(({ id }) => id)
    const places = {
      [present(first)]: { x: 6, y: 3, w: 6, h: 2 },
      [present(second)]: { x: 0, y: 3, w: 6, h: 5 },
    }
    const arranged = requireDone(await dashboards.arrange(1, dashboard.id, { places }, viewer))
    const back = requireDone(await dashboards.restoreVersion(1, dashboard.id, arranged.before, viewer))

    expect(placesOf(arranged.dashboard.cards)).toEqual([
      [second, 0, 0],
      [first, 6, 0],
    ])
    expect(back.dashboard.cards).toEqual(dashboard.cards)
    const { versions } = requireDone(await dashboards.versions(1, dashboard.id, viewer))
    expect(versions.map(({ version }) => version)).toEqual([3, 2, 1])
  })

  test('has no new version where its cards stayed the same', async () => {
    const { dashboards, dashboard } = await aDashboard()
    requireDone(await dashboards.change(1, dashboard.id, { name: 'Other', look: { period: '7d' } }, viewer))

    expect((await dashboards.find(1, dashboard.id, viewer))?.version).toBe(1)
  })

  test('loses a card, changes one, and takes another', async () => {
    const { dashboards, dashboard } = await aDashboard()
    const [first, second] = dashboard.cards.map(({ id }) => present(id))
    requireDone(await dashboards.removeCard(1, dashboard.id, present(first), viewer))
    requireDone(
      await dashboards.changeCard(1, dashboard.id, present(second), words('Now words').content, viewer),
    )
    const { dashboard: after } = requireDone(await dashboards.addCard(1, dashboard.id, words('Two'), viewer))

    expect(after.cards.map(({ content }) => content)).toEqual([
      { type: 'text', text: 'Now words' },
      { type: 'text', text: 'Two' },
    ])
    expect(
      problemMessages(await dashboards.changeCard(1, dashboard.id, 'z', words('a').content, viewer)),
    ).toEqual(['There is no such card.'])
  })

  test('can be Home until it is archived, and then the project has its usual one', async () => {
    const { dashboards, dashboard } = await aDashboard()
    requireDone(await dashboards.chooseHome(1, dashboard.id, viewer))
    const chosen = await dashboards.home(1, viewer)
    requireDone(await dashboards.archive(1, dashboard.id, viewer))

    expect(chosen?.id).toBe(dashboard.id)
    expect(await dashboards.home(1, viewer)).toBeUndefined()
    expect(problemMessages(await dashboards.chooseHome(1, dashboard.id, viewer))).toEqual([
      'An archived dashboard cannot be Home. Restore it first.',
    ])
  })

  test('is in no other project', async () => {
    const { dashboards, dashboard, aProject } = await aDashboard()
    const other = await aProject({ name: 'Other' })

    expect(await dashboards.find(other.id, dashboard.id, viewer)).toBeUndefined()
    expect(
      problemMessages(await dashboards.change(other.id, dashboard.id, { name: 'Mine' }, viewer)),
    ).toEqual(['There is no such dashboard in this project.'])
  })

  test('is named to a member who archives an insight it shows', async () => {
    const { dashboards, product } = await aDashboard()
    const { insight } = requireDone(
      await product.insights.saved.create(1, { name: 'Visits', question: visitors }, viewer),
    )
    const card = { content: { type: 'insight', insight: insight.id } }
    requireDone(await dashboards.create(1, { name: 'Weekly', cards: [card] }, viewer))

    expect(problemMessages(await product.insights.saved.archive(1, insight.id, {}, viewer))).toEqual([
      'It is used on the dashboard “Weekly”. Remove it there, or archive it anyway.',
    ])
  })
})

const placesOf = (cards: readonly SavedCard[]) => cards.map(({ id, place: { x, y } }) => [id, x, y])

describe('the cards of a dashboard', () => {
  const card = (title: string): SavedCard => ({
    id: title,
    place: { x: 0, y: 0, w: 6, h: 5 },
    content: { type: 'question', title, question: visitors },
  })

  test('are asked four at a time', async () => {
    const { dashboards, release, ask } = await slowDashboards()
    const askCard = dashboards.asking(1, {}, viewer)
    const requests = Array.from({ length: 12 }, (_, i) => askCard(card(String(i))))
    await vi.waitFor(() => expect(ask).toHaveBeenCalledTimes(4), 20_000)
    release()
    await Promise.all(requests)

    expect(ask).toHaveBeenCalledTimes(12)
  })

  async function slowDashboards() {
    const fixture = await openTestProduct()
    await fixture.aProject()
    const { promise, resolve } = Promise.withResolvers<void>()
    const ask = vi.fn<() => Promise<FailedOutcome>>(async () => {
      await promise
      return { done: false, problems: [{ message: 'Not now.' }] }
    })
    const store = { tables: () => expect.unreachable(), transaction: () => expect.unreachable() }
    const dashboards = new Dashboards({
      ...fixture,
      // a card of its own query needs no store
      store: store as never,
      insights: { ask, read: () => expect.unreachable(), answersOf: () => expect.unreachable() },
      savedInsights: fixture.product.insights.saved,
      experiments: fixture.product.experiments,
    })
    return { dashboards, release: resolve, ask }
  }

  test('that show an insight which was archived say so', async () => {
    const { product, aProject } = await openTestProduct()
    await aProject()
    const { insight } = requireDone(
      await product.insights.saved.create(1, { name: 'Visits', question: visitors }, viewer),
    )
    requireDone(await product.insights.saved.archive(1, insight.id, {}, viewer))
    const outcome = await product.dashboards.asking(
      1,
      {},
      viewer,
    )({
      ...card('a'),
      content: { type: 'insight', insight: insight.id },
    })

    expect(problemMessages(outcome)).toEqual(['“Visits” is archived. Restore it, or remove the card.'])
  })
})

describe('the result of an experiment on a dashboard', () => {
  const metrics = [
    { name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } },
    {
      name: 'Clicks',
      role: 'secondary',
      measured: { type: 'conversion', happening: { event: 'clicked' } },
    },
  ]

  async function anExperiment() {
    const fixture = await openTestProduct()
    await fixture.aProject()
    const { experiments, dashboards } = fixture.product
    const input = { name: 'Checkout', flag: 'checkout', metrics }
    const flag = { key: 'checkout', kind: 'variants', variants: halves }
    const { experiment } = requireDone(
      await experiments.createWithFlag(1, { flag, experiment: input }, viewer),
    )
    return { ...fixture, dashboards, experiments, experiment }
  }
  const halves = [
    { key: 'control', percentage: 50 },
    { key: 'test', percentage: 50 },
  ]
  const resultOf = (experiment: string, metric?: string) => ({
    content: { type: 'experiment', experiment, ...(metric !== undefined && { metric }) },
  })

  async function aCard() {
    const stage = await anExperiment()
    const clicks = present(stage.experiment.metrics[1]).id
    const cards = [resultOf(stage.experiment.id, clicks)]
    const { dashboard } = requireDone(await stage.dashboards.create(1, { name: 'Growth', cards }, viewer))
    return { ...stage, dashboard, clicks, card: present(dashboard.cards[0]) }
  }

  test('has the size of the advice and two variants, and is duplicated, removed and restored', async () => {
    const { dashboards, dashboard, card } = await aCard()
    expect(card.place).toEqual({ x: 0, y: 0, w: 6, h: 6 })

    const copy = requireDone(await dashboards.duplicate(1, dashboard.id, viewer)).dashboard
    expect(copy.cards.map(({ content }) => content)).toEqual([card.content])
    const removed = requireDone(await dashboards.removeCard(1, dashboard.id, card.id, viewer))
    expect(removed.dashboard.cards).toEqual([])
    const back = requireDone(await dashboards.restoreVersion(1, dashboard.id, removed.before, viewer))
    expect(back.dashboard.cards).toEqual([card])
  })

  test('is what the page of the experiment says, with the metric that was chosen', async () => {
    const { dashboards, experiments, experiment, card, clicks } = await aCard()
    const answer = requireDone(await dashboards.asking(1, { period: '7d' }, viewer)(card))
    const { result } = requireDone(await experiments.results.result(1, experiment.id, viewer))

    expect(answer).toMatchObject({
      kind: 'experiment',
      title: 'Checkout',
      metric: clicks,
      experiment: { id: experiment.id },
      result: { sentence: result.sentence, verdict: { advice: 'not-started' } },
    })
  })

  test.each([
    ['one of no project', async () => resultOf('none'), /^There is no such experiment in this project\.$/],
    [
      'one of another project',
      async ({ experiments, aProject }: Awaited<ReturnType<typeof anExperiment>>) => {
        const { id } = await aProject({ name: 'Other' })
        const flag = { key: 'checkout', kind: 'variants', variants: halves }
        const foreign = { flag, experiment: { name: 'Foreign', flag: 'checkout', metrics } }
        return resultOf(requireDone(await experiments.createWithFlag(id, foreign, viewer)).experiment.id)
      },
      /^There is no such experiment in this project\.$/,
    ],
    [
      'a metric of another experiment',
      async ({ experiment }: Awaited<ReturnType<typeof anExperiment>>) => resultOf(experiment.id, 'none'),
      /^The experiment has no metric "none"\.$/,
    ],
  ])('refuses %s', async (_, cardOf, sentence) => {
    const stage = await anExperiment()
    const outcome = await stage.dashboards.create(1, { name: 'More', cards: [await cardOf(stage)] }, viewer)

    expect(problemMessages(outcome).join(' ')).toMatch(sentence)
  })

  test('is not shown without the right to see experiments, nor chosen', async () => {
    const { dashboards, dashboard, card, experiment, aMember, signedIn } = await aCard()
    const member = await signedIn(await aMember({ role: 'editor' }))
    const key = {
      ...member,
      kind: 'key' as const,
      keyId: 'k',
      projectId: 1,
      scopes: new Set(['events:read', 'insights:write'] as const),
    }
    const refused = await dashboards.asking(1, {}, key)(card)

    expect(refused).toEqual({
      done: false,
      problems: [{ message: 'You may not see the results of experiments. Ask a project owner.' }],
    })
    await expect(dashboards.addCard(1, dashboard.id, resultOf(experiment.id), key)).rejects.toThrow(
      AccessRefusedError,
    )
    expect(requireDone(await dashboards.asking(1, {}, member)(card)).title).toBe('Checkout')
  })

  test('says that the experiment was archived, and what to do', async () => {
    const { dashboards, experiments, experiment, card } = await aCard()
    requireDone(await experiments.archive(1, experiment.id, viewer))

    expect(problemMessages(await dashboards.asking(1, {}, viewer)(card))).toEqual([
      '“Checkout” is archived. Restore it, or remove the card.',
    ])
  })

  test('that is gone asks for the removal of the card', async () => {
    const { dashboards, card } = await aCard()
    const gone: SavedCard = { ...card, content: { type: 'experiment', experiment: 'gone' } }

    expect(problemMessages(await dashboards.asking(1, {}, viewer)(gone))).toEqual([
      'The experiment of this card was deleted. Remove the card.',
    ])
  })
})

test('a gate lets the next one in when one fails', async () => {
  const through = createSemaphore(1)
  const failed = through(async () => await Promise.reject(new Error('no')))
  const after = through(async () => 'yes')

  await expect(failed).rejects.toThrow('no')
  expect(await after).toBe('yes')
})

const german: Filter = { type: 'event', key: 'a', operator: 'exact', value: ['b'] }
const british: Filter = { type: 'event', key: 'a', operator: 'exact', value: ['c'] }

test.each([
  // the card's own query, how the dashboard is looked at, and what is asked
  [{ period: '30d' }, {}, { period: '30d' }],
  [{ period: '30d' }, { period: '7d' }, { period: '7d' }],
  [{ compare: 'previous' }, {}, { compare: 'previous' }],
  [{ compare: 'previous' }, { compare: 'none' as const }, {}],
  [{}, { compare: 'year' }, { compare: 'year' }],
  [{ filter: german }, { filter: british }, { filter: { all: [german, british] } }],
  [{}, { filter: british }, { filter: british }],
])('%j looked at with %j asks %j', (query, look, expected) => {
  expect(withViewOverrides(query, look)).toEqual(expected)
})

test.each(Object.entries(templates))('every card of the template %s can be asked', async (_, template) => {
  const { dashboards } = await aDashboard()
  const { dashboard } = requireDone(
    await dashboards.create(1, { name: template.label, cards: template.cards }, viewer),
  )

  expect(dashboard.cards.map(({ place }) => place)).toEqual(template.cards.map(({ place }) => place))
  for (const { content } of template.cards)
    if (content.type === 'question')
      expect(
        readQuery(withViewOverrides(content.question, { period: '7d', compare: 'previous' })),
      ).toMatchObject({
        done: true,
      })
})
