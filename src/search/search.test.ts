import { expect, test } from 'vitest'
import { openTestProduct, problemMessages, requireDone, testOrigin } from '#test/product/fixture'
import { type KeyViewer, operator, type Right, type Viewer } from '#projects/access'
import type { Product } from '#server/product'

/** A project with one thing of most kinds, on a Tilth whose engine does not answer. */
async function aProjectToSearch() {
  const { product, aProject } = await openTestProduct()
  const { id } = await aProject()
  const query = { kind: 'totals' }
  const created = {
    insight: requireDone(
      await product.insights.saved.create(id, { name: 'Onboarding funnel', question: query }, operator()),
    ).insight,
    dashboard: requireDone(await product.dashboards.create(id, { name: 'Onboarding', cards: [] }, operator()))
      .dashboard,
    post: requireDone(await product.posts.create(id, { title: 'How we rebuilt onboarding' }, operator()))
      .post,
  }
  requireDone(await product.flags.create(id, { key: 'onboarding-tour' }, operator()))
  requireDone(await product.flags.create(id, { key: 'new-checkout' }, operator()))
  requireDone(await product.surveys.create(id, { name: 'Onboarding survey' }, operator()))
  return { product, id, created }
}

const keyWith = (projectId: number, ...scopes: Right[]): KeyViewer => ({
  kind: 'key',
  keyId: 'k1',
  name: 'Robot',
  projectId,
  scopes: new Set(scopes),
  origin: testOrigin,
})

const found = async (product: Product, id: number, text: string, viewer: Viewer = operator()) =>
  requireDone(await product.search.find(id, { text }, viewer)).results.map(
    ({ kind, name }) => `${kind} ${name}`,
  )

test('things of every kind are found, with letters left out', async () => {
  const { product, id } = await aProjectToSearch()
  expect(await found(product, id, 'onbord')).toEqual([
    'dashboard Onboarding',
    'insight Onboarding funnel',
    'flag onboarding-tour',
    'survey Onboarding survey',
    'post How we rebuilt onboarding',
  ])
  expect(await found(product, id, 'fun onb')).toEqual(['insight Onboarding funnel'])
  expect(await found(product, id, 'zebra')).toEqual([])
})

test('goals, segments and countries are found by name', async () => {
  const { product, id } = await aProjectToSearch()
  const { goals, segments } = product.insights
  requireDone(
    await goals.create(id, { name: 'Germans sign up', goal: { type: 'event', event: 'signup' } }, operator()),
  )
  const filter = { all: [{ type: 'session', key: '$geoip_country_code', operator: 'exact', value: ['DE'] }] }
  requireDone(await segments.create(id, { name: 'German visitors', filter }, operator()))
  expect(await found(product, id, 'german')).toEqual([
    'goal Germans sign up',
    'segment German visitors',
    'country Germany',
  ])
  expect(await found(product, id, 'ge')).not.toContain('country Germany')
})

test('what the engine holds is reported as unavailable while it does not answer', async () => {
  const { product, id } = await aProjectToSearch()
  const { unavailable } = requireDone(await product.search.find(id, { text: 'onboarding' }, operator()))
  expect(unavailable).toEqual(['person', 'event', 'property'])
})

test('only kinds that the viewer may read are searched', async () => {
  const { product, id } = await aProjectToSearch()
  const withoutEvents = keyWith(id, 'project:read', 'surveys:read')
  expect(await found(product, id, 'onbord', withoutEvents)).toEqual([
    'flag onboarding-tour',
    'survey Onboarding survey',
    'post How we rebuilt onboarding',
  ])
  const { unavailable } = requireDone(await product.search.find(id, { text: 'onboarding' }, withoutEvents))
  expect(unavailable).toEqual([])
})

test('archived things are not found', async () => {
  const { product, id, created } = await aProjectToSearch()
  requireDone(await product.insights.saved.archive(id, created.insight.id, {}, operator()))
  requireDone(await product.flags.archive(id, 'onboarding-tour', operator(), { anyway: true }))
  expect(await found(product, id, 'onbord')).toEqual([
    'dashboard Onboarding',
    'survey Onboarding survey',
    'post How we rebuilt onboarding',
  ])
})

test('things opened before have their present names, in the same order, as far as they may be read', async () => {
  const { product, id, created } = await aProjectToSearch()
  const things = [
    { kind: 'flag', id: 'new-checkout' },
    { kind: 'dashboard', id: created.dashboard.id },
    { kind: 'insight', id: 'gone' },
    { kind: 'post', id: created.post.id },
  ]
  requireDone(await product.dashboards.change(id, created.dashboard.id, { name: 'Welcome' }, operator()))
  const names = async (viewer: Viewer) =>
    requireDone(await product.search.named(id, things, viewer)).results.map(({ name }) => name)
  expect(await names(operator())).toEqual(['new-checkout', 'Welcome', 'How we rebuilt onboarding'])
  expect(await names(keyWith(id, 'project:read'))).toEqual(['new-checkout', 'How we rebuilt onboarding'])
})

test('an empty text and an unknown kind are refused', async () => {
  const { product, id } = await aProjectToSearch()
  expect(problemMessages(await product.search.find(id, { text: '  ' }, operator()))).toEqual([
    'Type what to search for.',
  ])
  expect((await product.search.named(id, [{ kind: 'secret', id: 'x' }], operator())).done).toBe(false)
})
