import { afterAll, expect, test, vi } from 'vitest'
import { z } from 'zod'

vi.resetModules()
vi.doMock(import('#flags/flag-schema'), async (original) => {
  const schemas = await original()
  const colour = z.enum(['green', 'red']).default('green')
  return {
    ...schemas,
    editableFlag: schemas.editableFlag.extend({ colour }),
    flagSchema: schemas.flagSchema.extend({ colour }),
  }
})
// the modules of a product that knows the new field, which the other files of this process do not share
const { anApiProgram } = await import('#test/product/api-program')
const { differences } = await import('#flags/differences')
const { operator } = await import('#projects/access')
const { endpoints } = await import('./endpoints')
const { describe } = await import('./internal/openapi')

afterAll(() => {
  vi.doUnmock('#flags/flag-schema')
  vi.resetModules()
})

test('a field that is added to the schema alone is in the API, its description, the store, the audit log and the history', async () => {
  const { ask, product, id } = await anApiProgram()
  expect((await ask('POST', '/flags', { key: 'checkout' })).body).toMatchObject({ colour: 'green' })
  expect((await ask('PATCH', '/flags/checkout', { colour: 'red' })).body).toMatchObject({ colour: 'red' })
  expect((await ask('PATCH', '/flags/checkout', { owner: 'Ben' })).body).toMatchObject({ colour: 'red' })
  expect((await ask('PATCH', '/flags/checkout', { colour: 'blue' })).status).toBe(422)
  expect((await ask('GET', '/flags/checkout')).body).toMatchObject({ colour: 'red' })

  const described = JSON.stringify(describe(endpoints))
  expect(described).toContain('"colour":{"default":"green","type":"string","enum":["green","red"]}')

  const [, entry] = await product.projects.audit.list(id, { action: 'flag.change' }, operator())
  expect(entry).toMatchObject({ before: { colour: 'green' }, after: { colour: 'red' } })

  const [, changed, created] = await product.flags.history(id, 'checkout', operator())
  if (!changed || !created) throw new Error('The flag has no history.')
  expect(differences(created.flag, changed.flag, { property: String, cohorts: [] })).toEqual([
    'colour: "green" → "red"',
  ])
  expect((await ask('POST', '/flags/checkout/history/1/revert')).body).toMatchObject({ colour: 'green' })
})
