import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { operator } from '#projects/access'
import type { Project } from '#projects/project'
import { openProduct, type Product } from '#server/product'
import { endAfterFile } from '#test/running/end-after-file'
import { FakePosthog, type FakeProject } from '#test/outside/fake-posthog'
import { aFolder, aWorld, requireDone } from '#test/product/fixture'
import { type EntryKind, entryKinds } from './entry-report'
import { moveEntries } from './move-entries'

const endLater = endAfterFile()
const viewer = operator()
const surveyId = '0190f0c2-1111-7000-8000-000000000001'
const endedId = '0190f0c2-1111-7000-8000-000000000002'

const multivariate = {
  variants: [
    { key: 'control', rollout_percentage: 50 },
    { key: 'test', rollout_percentage: 50 },
  ],
}
const posthogProject: Partial<FakeProject> = {
  group_types: [{ group_type: 'company', group_type_index: 0 }],
  cohorts: [
    {
      id: 12,
      name: 'Buyers of the beta',
      filters: { properties: { type: 'AND', values: [{ key: 'id', type: 'cohort', value: 11 }] } },
    },
    {
      id: 11,
      name: 'Buyers',
      filters: {
        properties: {
          type: 'AND',
          values: [{ key: 'plan', type: 'person', operator: 'exact', value: 'pro' }],
        },
      },
    },
    { id: 13, name: 'Picked', is_static: true, filters: {} },
  ],
  feature_flags: [
    {
      id: 71,
      key: 'beta',
      name: 'The beta',
      active: true,
      filters: {
        groups: [
          { properties: [{ key: 'id', type: 'cohort', value: 12 }], rollout_percentage: 30 },
          { properties: [{ key: '72', type: 'flag', operator: 'flag_evaluates_to', value: 'test' }] },
        ],
      },
    },
    {
      id: 72,
      key: 'checkout',
      active: true,
      filters: { groups: [{ rollout_percentage: 100 }], multivariate },
    },
    {
      id: 73,
      key: 'picked',
      active: true,
      filters: { groups: [{ properties: [{ type: 'cohort', value: 13 }] }] },
    },
    {
      id: 76,
      key: 'secret',
      is_remote_configuration: true,
      has_encrypted_payloads: true,
      filters: { groups: [], payloads: { true: '********' } },
    },
    { id: 74, key: 'survey-targeting-abc', active: true, filters: { groups: [] } },
    { id: 75, key: 'gone', deleted: true, filters: {} },
  ],
  insights: [
    {
      id: 31,
      short_id: 'aaa',
      name: 'Orders',
      query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode' }] },
    },
    { id: 32, short_id: 'bbb', name: 'Paths', query: { kind: 'PathsQuery' } },
  ],
  surveys: [
    {
      id: surveyId,
      name: 'NPS',
      type: 'popover',
      questions: [{ id: 'q1', type: 'open', question: 'Why?' }],
      linked_flag: { key: 'beta' },
      start_date: '2024-02-01T00:00:00Z',
    },
    {
      id: endedId,
      name: 'Old',
      type: 'popover',
      questions: [{ id: 'q1', type: 'open', question: 'Why?' }],
      start_date: '2024-02-01T00:00:00Z',
      end_date: '2024-03-01T00:00:00Z',
    },
    { id: '0190f0c2-1111-7000-8000-000000000003', name: 'Archived', type: 'popover', archived: true },
  ],
  experiments: [
    {
      id: 51,
      name: 'Checkout',
      feature_flag_key: 'checkout',
      start_date: '2024-02-01T00:00:00Z',
      end_date: '2024-03-01T00:00:00Z',
      conclusion: 'won',
      conclusion_comment: 'Ship it.',
      metrics: [
        { kind: 'ExperimentMetric', metric_type: 'mean', source: { kind: 'EventsNode', event: 'bought' } },
        { kind: 'ExperimentMetric', metric_type: 'retention' },
      ],
    },
    { id: 52, name: 'Without its flag', feature_flag_key: 'unknown', metrics: [] },
  ],
}

let product: Product
let posthog: FakePosthog
let project: Project
beforeAll(async () => {
  posthog = await FakePosthog.start(posthogProject)
  product = await openProduct({ store: { folder: aFolder(endLater) }, world: aWorld('moved entries') })
  endLater(() => product.close())
})
afterAll(() => posthog.stop())
let projects = 0
beforeEach(async () => {
  project = requireDone(await product.projects.create({ name: `Shop ${++projects}` }, viewer)).project
  posthog.forbidden.clear()
})

const move = (kinds: readonly EntryKind[] = entryKinds, isPreview = false) =>
  moveEntries(product, {
    client: posthog.client(),
    project,
    kinds,
    isPreview,
    viewer,
    now: new Date('2026-03-02T10:00:00Z'),
  })

const namesIn = (entries: readonly { kind: string; name: string }[]) =>
  entries.map(({ kind, name }) => `${kind} ${name}`)

const made = [
  'cohorts Buyers',
  'cohorts Buyers of the beta',
  'flags beta',
  'flags checkout',
  'flags secret',
  'insights Orders',
  'surveys NPS',
  'surveys Old',
  'experiments Checkout',
]

test('a whole project comes along, and what does not says why', async () => {
  const report = await move()
  expect(namesIn(report.made).toSorted()).toEqual(made.toSorted())
  expect(report.leftOut).toMatchObject([
    { name: 'Picked', why: expect.stringContaining('picked one by one') as string },
    { name: 'picked', why: 'It names the cohort 13 of PostHog, which is not here.' },
    { name: 'survey-targeting-abc' },
    { name: 'Paths' },
    { name: 'Archived' },
    { name: 'Without its flag' },
  ])
  expect(report.notes).toMatchObject([
    { name: 'secret', why: expect.stringContaining('Enter it here') as string },
    { name: 'NPS', why: expect.stringContaining('a draft here') as string },
    { name: 'Checkout', why: expect.stringContaining('“retention”') as string },
  ])

  const cohorts = await product.people.cohorts.list(project.id, viewer)
  const [beta] = cohorts.filter(({ name }) => name === 'Buyers of the beta')
  expect(beta?.definition).toEqual({ in: cohorts.find(({ name }) => name === 'Buyers')?.id })
  const flag = (await product.flags.list(project.id, viewer)).find(({ key }) => key === 'beta')
  expect(flag?.environments['production']?.conditions).toMatchObject([
    { conditions: [{ type: 'cohort', cohort: beta?.id }], percentage: 30 },
    { conditions: [{ type: 'flag', flag: 'checkout' }] },
  ])
  const surveys = await product.surveys.list(project.id, viewer)
  expect(Object.fromEntries(surveys.map((one) => [one.id, product.surveys.statusOf(one)]))).toEqual({
    [surveyId]: 'draft',
    [endedId]: 'ended',
  })
  expect(await product.experiments.list(project.id, viewer)).toMatchObject([
    {
      startedAt: new Date('2024-02-01T00:00:00Z'),
      endedAt: new Date('2024-03-01T00:00:00Z'),
      conclusion: { outcome: 'stopped', note: 'won: Ship it.' },
      metrics: [{ measured: { type: 'total' } }],
    },
  ])
})

test('a second run changes nothing, and makes nothing twice or again', async () => {
  await move()
  const before = await everything()
  const again = await move()
  expect(again.made).toEqual([])
  expect(namesIn(again.there).toSorted()).toEqual(made.toSorted())
  expect(await everything()).toEqual(before)

  const [insight] = requireDone(await product.insights.saved.list(project.id, {}, viewer)).insights
  requireDone(await product.insights.saved.archive(project.id, insight?.id ?? '', { anyway: true }, viewer))
  expect((await move(['insights'])).made).toEqual([])
})

async function everything() {
  return {
    cohorts: await product.people.cohorts.list(project.id, viewer),
    flags: await product.flags.list(project.id, viewer),
    insights: await product.insights.saved.list(project.id, {}, viewer),
    surveys: await product.surveys.list(project.id, viewer),
    experiments: await product.experiments.list(project.id, viewer),
  }
}

test('a flag that is here already stays as it is', async () => {
  requireDone(await product.flags.create(project.id, { key: 'checkout', description: 'ours' }, viewer))
  expect(namesIn((await move(['flags'])).there)).toEqual(['flags checkout'])
  expect(
    (await product.flags.list(project.id, viewer)).find(({ key }) => key === 'checkout')?.description,
  ).toBe('ours')
})

test('a preview says the same and makes nothing', async () => {
  const report = await move(entryKinds, true)
  expect(namesIn(report.made)).toEqual(expect.arrayContaining(made))
  expect(namesIn(report.leftOut)).toContain('insights Paths')
  expect(await everything()).toMatchObject({
    cohorts: [],
    flags: [],
    insights: { insights: [] },
    surveys: [],
  })
})

test('some kinds can be taken alone, later with cohorts that came before', async () => {
  await move(['cohorts'])
  expect(namesIn((await move(['flags'])).made).toSorted()).toEqual([
    'flags beta',
    'flags checkout',
    'flags secret',
  ])
})

test('a kind that the key may not read is left out, and the others come', async () => {
  posthog.forbidden.add('insights')
  const report = await move()
  expect(report.leftOut).toContainEqual({
    kind: 'insights',
    name: '(all)',
    why: "The key lacks a right: API key missing required scope 'insights:read'",
  })
  expect(namesIn(report.made)).toContain('flags beta')
})

test('a key that is refused ends it with a sentence', async () => {
  const request = {
    client: posthog.client({ key: 'old' }),
    project,
    kinds: entryKinds,
    isPreview: false,
    viewer,
  }
  await expect(moveEntries(product, { ...request, now: new Date() })).rejects.toThrow('does not take the key')
})
