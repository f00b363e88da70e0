import { expect, test } from 'vitest'
import { openTestProduct, testOrigin } from '#test/product/fixture'
import { anEngine, uuidFor } from '#test/product/test-engine'
import { operator } from '#projects/access'
import { personEndpoints } from './persons'

const engine = anEngine()

test('the erasure of a person of another project, or of none, is refused as unknown', async () => {
  const [own, other] = await engine.addProjects([
    [{ person: 'ana', event: '$pageview', at: '2026-03-01T10:00:00Z' }],
    [{ person: 'ben', event: '$pageview', at: '2026-03-01T10:00:00Z' }],
  ])
  expect([own, other]).toEqual([1, 2])
  const { product, aProject } = await openTestProduct({ engine: engine.engine() })
  const project = await aProject()
  await aProject({ name: 'Elsewhere' })
  const endpoint = personEndpoints.find(
    ({ method, path }) => method === 'DELETE' && path === '/projects/{project}/persons/{person}',
  )
  const erase = async (person: string) => {
    const outcome = await endpoint?.handle({
      product,
      viewer: {
        kind: 'key',
        keyId: 'k1',
        name: 'Script',
        projectId: project.id,
        scopes: new Set(['persons:write']),
        origin: testOrigin,
      },
      input: undefined,
      query: new URLSearchParams(),
      signal: undefined,
      pathParameter: () => person,
      project: () => project,
    })
    return outcome?.done === false ? outcome.problems.map(({ message }) => message) : 'done'
  }

  const unknown = ['There is no such person in this project.']
  for (const person of [uuidFor('ben'), crypto.randomUUID(), 'ana'])
    expect(await erase(person)).toEqual(unknown)
  expect(await product.people.erasures.list(project.id, operator())).toEqual([])
  expect(await erase(uuidFor('ana'))).toBe('done')
})
