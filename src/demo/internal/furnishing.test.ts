import { expect, test } from 'vitest'
import { openTestProduct } from '#test/product/fixture'
import { posts as read } from './site'
import { operator } from '#projects/access'
import { demoExperiments } from './experiments'
import { addDemoContent } from './furnishing'
import { addDemoSite } from './publish-site'

test('a demo has something to look at in every room', async () => {
  const { product, aProject, world } = await openTestProduct()
  const project = await aProject()
  const you = operator()
  const begin = new Date(world.now().getTime() - 90 * 86_400_000)
  await addDemoContent(product, project, begin, you)
  await addDemoSite(product, project.id, begin, you)

  const { id } = project
  expect(await product.insights.goals.list(id, you)).not.toEqual([])
  expect(await product.insights.annotations.list(id, you)).not.toEqual([])
  expect(await product.people.cohorts.names(id, you)).not.toEqual([])
  expect(product.insights.settingsOf(product.projects.find(String(id), you)).pageGroups).toEqual([
    '/boards/:id',
  ])
  expect(await product.dashboards.home(id, you)).toMatchObject({ name: 'Website' })
  expect((await product.flags.list(id, you)).map(({ key }) => key)).toEqual([
    'card-shortcuts',
    'legacy-editor',
    'new-onboarding',
    'plan-limits',
    'pricing-headline',
    'sticky-menu',
  ])
  const experiments = await product.experiments.list(id, you)
  expect(new Map(experiments.map(({ name, startedAt }) => [name, startedAt]))).toEqual(
    new Map(
      demoExperiments.map(({ input, startDay }) => [
        input.name,
        new Date(begin.getTime() + startDay * 86_400_000),
      ]),
    ),
  )
  expect(await product.flags.guards.list(id, you)).toMatchObject([
    { flagKey: 'card-shortcuts', state: 'running' },
  ])
  expect(product.posts.published.site(id)?.name).toBe('Pinewise')
  const readable = product.posts.published.posts(id, world.now()).map(({ slug }) => slug)
  expect(new Set(readable)).toEqual(new Set(read.map(({ url }) => url.split('/').at(-1))))
  expect(product.posts.published.bySlug(id, 'page', '', world.now())?.title).toBe('Pinewise')
  expect(product.posts.published.trials(id)).toHaveLength(1)
  const { insights } = await insightsOf()
  expect(insights.map(({ name }) => name)).toContain('From the first page to a subscription')

  async function insightsOf() {
    const listed = await product.insights.saved.list(id, {}, you)
    if (!listed.done) throw new Error('They could not be listed.')
    return listed
  }
})
