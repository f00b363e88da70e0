import { expect, test } from 'vitest'
import {
  openTestProduct,
  requireDone,
  problemMessages,
  password,
  present,
  testOrigin,
} from '#test/product/fixture'
import type { Product } from '#server/product'
import { operator } from './access'
import { addDemo, storyOf } from './demo-project'

const story = { seed: 'rain', events: 500 }

const aDemo = async ({ projects }: Product, slug = 'demo') =>
  requireDone(await addDemo(projects, { name: 'Tilth Demo', slug, timeZone: 'UTC', story }, operator('demo')))
    .project

async function setUp({ projects, signIn }: Product) {
  const { setup } = signIn
  const code = await setup.newCode()
  const input = { code, project: 'Acme', name: 'Ana Berg', email: 'ana@acme.example', password }
  return { ...requireDone(await setup.complete(input, testOrigin)), all: projects.list(operator()) }
}

test('a demo remembers the story it tells, and a project that is no demo tells none', async () => {
  const { product, aProject } = await openTestProduct()
  expect(storyOf(await aDemo(product))).toEqual(story)
  expect(storyOf(await aProject())).toBeUndefined()
})

test('an owner of a project owns the demo made afterwards; other members do not see it', async () => {
  const { product, aProject, aMember, signedIn } = await openTestProduct()
  await aProject()
  const owner = await aMember({ role: 'owner', name: 'Ana Berg' })
  const viewer = await aMember({ role: 'viewer', name: 'Ben Dahl' })
  await aDemo(product)
  expect(product.projects.find('demo', await signedIn(owner)).name).toBe('Tilth Demo')
  const other = await signedIn(viewer)
  expect(() => product.projects.find('demo', other)).toThrow('There is no such project.')
})

test('set-up gives the owner a project and the demo that was there before', async () => {
  const { product, signedIn } = await openTestProduct()
  await aDemo(product)
  const { project, member, all } = await setUp(product)
  expect(project.slug).toBe('acme')
  expect(all.map(({ slug }) => slug).sort()).toEqual(['acme', 'demo'])
  const viewer = await signedIn(member)
  expect(product.projects.find('demo', viewer).slug).toBe('demo')
  const demo = present(all.find(({ slug }) => slug === 'demo'))
  const joined = await product.projects.audit.list(demo.id, { action: 'member.join' }, viewer)
  expect(joined).toMatchObject([{ subject: 'ana@acme.example', projectId: demo.id }])
})

test('what the environment says of the first project is never said of a demo', async () => {
  const { product } = await openTestProduct()
  const demo = await aDemo(product)
  requireDone(
    await product.signIn.setup.provision({ project: 'Acme', writeKey: 'phc_of_the_environment' }, testOrigin),
  )
  expect(product.projects.named('phc_of_the_environment')?.slug).toBe('acme')
  expect(product.projects.find('demo', operator()).writeKey).toBe(demo.writeKey)
})

test('beside a demo, the only project is still where every page belongs', async () => {
  const { product, aProject } = await openTestProduct()
  const acme = await aProject()
  await aDemo(product)
  expect(product.projects.at('acme.example')?.id).toBe(acme.id)
})

test('a demo does not take the place of a project', async () => {
  const { product, aProject } = await openTestProduct()
  await aProject({ name: 'Demo' })
  const again = await addDemo(
    product.projects,
    { name: 'Tilth Demo', slug: 'demo', timeZone: 'UTC', story },
    operator(),
  )
  expect(problemMessages(again)).toHaveLength(1)
})
