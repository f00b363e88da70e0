import { expect, test } from 'vitest'
import { z } from 'zod'
import { anApiProgram } from '#test/product/api-program'

const filter = { type: 'person', key: 'plan', operator: 'exact', value: 'pro' }

// the program holds each answer to the description of its endpoint
test.each<[string, object, object]>([
  // the path,       a new entry,                                             a change of it
  ['goals', { name: 'Paid', goal: { type: 'event', event: 'buy', filter } }, { name: 'Bought' }],
  ['segments', { name: 'Pro', filter }, { filter: { all: [filter] } }],
  ['person-lists', { name: 'Pro', question: { filter, columns: ['last'] } }, { question: {} }],
  ['annotations', { at: '2026-03-02T10:00:00+01:00', text: 'Release' }, { text: 'Launch' }],
  ['annotations', { at: '2026-03-02T10:00:00Z', text: 'Release', scope: 'insight', subject: 'i' }, {}],
  ['definitions', { type: 'event', name: 'buy' }, { description: 'A payment', isVerified: true }],
  [
    'saved-metrics',
    { name: 'Sales', measured: { type: 'conversion', happening: { event: 'buy' } } },
    { tags: ['money'] },
  ],
  ['layers', { name: 'Checkout' }, { name: 'Cart' }],
  ['holdouts', { name: 'Spring', percentage: 5 }, { percentage: 7.5 }],
  ['authors', { name: 'Ana', links: [{ label: 'Home', address: 'https://ana.example' }] }, { bio: 'Writes' }],
  ['cohorts', { name: 'Pro', about: 'Pays', definition: { is: filter } }, { name: 'Payers' }],
])('an entry of %s is made, changed, listed and removed as it is described', async (path, input, change) => {
  const { ask } = await anApiProgram()
  const listed = async () => Object.values((await ask('GET', `/${path}`)).body)
  const made = await ask('POST', `/${path}`, input)
  expect(made.status).toBe(201)
  const entry = entryIn(made.body)
  const address = `/${path}/${String(entry['id'] ?? entry['slug'])}`

  const changed = entryIn((await ask('PATCH', address, change)).body)

  expect(changed).toEqual({ ...entry, ...change })
  expect(await listed()).toEqual([[changed]])
  expect(await ask('DELETE', address)).toEqual({ status: 200, body: {} })
  expect(await listed()).toEqual([[]])
})

const fields = z.record(z.string(), z.unknown())
/** Cohorts are answered under their name. */
const entryIn = (body: unknown) =>
  z.union([z.strictObject({ cohort: fields }).transform(({ cohort }) => cohort), fields]).parse(body)
