import { describe, expect, test } from 'vitest'
import { openTestProduct, requireDone, problemMessages } from '#test/product/fixture'
import type { Filter } from '#filters/filter'
import { operator } from '#projects/access'
import { type CohortDefinition, cohortDefinition, cohortsNamedIn } from './cohort'
import { describeCohort } from './describe-cohort'

const isPro: Filter = { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] }
const bought: CohortDefinition = { did: { event: 'buy' } }

describe('a definition in words', () => {
  test.each<[CohortDefinition, string]>([
    [bought, 'did buy'],
    [
      { ...bought, times: { at: 'least', count: 2 }, within: { days: 30 } },
      'did buy at least 2 times in the last 30 days',
    ],
    [
      { ...bought, times: { at: 'exactly', count: 1 }, within: { days: 1 } },
      'did buy exactly 1 time in the last day',
    ],
    [{ not: { did: { event: '$pageview' } } }, 'did not do Page view'],
    [
      { did: { event: null }, within: { from: '2026-01-01', to: '2026-01-31' } },
      'did anything from 2026-01-01 to 2026-01-31',
    ],
    [{ first: { event: 'buy' }, within: { days: 7 } }, 'first did buy in the last 7 days'],
    [{ all: [{ is: isPro }, { not: bought }] }, 'plan is pro and did not do buy'],
    [
      { any: [bought, { all: [{ in: 'c1' }, { not: { in: 'c2' } }] }] },
      'did buy or (is in Staff and is not in a deleted cohort)',
    ],
  ])('%j', (definition, words) => {
    expect(describeCohort(definition, [{ id: 'c1', name: 'Staff' }])).toBe(words)
  })
})

describe('a definition is refused', () => {
  test.each([
    [{ all: [] }, /Add at least one condition/],
    [{ did: { event: '' } }, /Name an event/],
    [{ did: { event: 'buy' }, within: { days: 0 } }, /Use at least a day/],
    [{ did: { event: 'buy' }, within: { from: '2026-02-01', to: '2026-01-01' } }, /before the first/],
    [{ did: { event: 'buy' }, times: { at: 'least', count: -1 } }, /less than 0 times/],
    [{ is: { type: 'event', key: 'price', operator: 'is_set' } }, /properties of persons/],
    [{ is: { type: 'person', key: 'x', operator: 'regex', value: '(' } }, /./],
    [deep(8), /nested deeper than 6/],
    [deep(50_000), /nested deeper than 6/],
    [{ all: Array.from({ length: 51 }, () => bought) }, /at most 50 conditions/],
    ['everybody', /A condition is/],
    [null, /A condition is/],
  ])('%#', (definition, sentence) => {
    const read = cohortDefinition.safeParse(definition)
    expect(read.error?.issues.map(({ message }) => message).join(' ')).toMatch(sentence)
  })
})

function deep(levels: number): unknown {
  let definition: unknown = bought
  for (let level = 0; level < levels; level++) definition = { not: definition }
  return definition
}

test('cohorts are found wherever a definition names them', () => {
  const definition = {
    all: [
      { in: 'a' },
      { not: { any: [{ is: { type: 'cohort', cohort: 'b', operator: 'in' } }] } },
      { did: { event: 'buy', filter: { all: [{ type: 'cohort', cohort: 'c', operator: 'not_in' }] } } },
    ],
  } as CohortDefinition
  expect(cohortsNamedIn(definition)).toEqual(['a', 'b', 'c'])
})

test('a change of one field of a cohort leaves the others as they are', async () => {
  const { product, aProject } = await openTestProduct()
  await aProject()
  const input = { name: 'Buyers', about: 'Who pays', definition: bought }
  const { cohort } = requireDone(await product.people.cohorts.create(1, input, operator()))

  const changed = requireDone(
    await product.people.cohorts.change(1, cohort.id, { name: 'Payers' }, operator()),
  )

  expect(changed.cohort).toMatchObject({ ...input, name: 'Payers' })
})

describe('cohorts made of each other', () => {
  test('never go round in a circle, however long', async () => {
    const { product, aProject } = await openTestProduct()
    await aProject()
    const make = async (name: string, definition: CohortDefinition) =>
      requireDone(await product.people.cohorts.create(1, { name, definition }, operator())).cohort
    const a = await make('A', bought)
    const b = await make('B', { in: a.id })
    const c = await make('C', { not: { in: b.id } })
    const change = (definition: CohortDefinition) =>
      product.people.cohorts.change(1, a.id, { definition }, operator())

    expect(problemMessages(await change({ in: c.id }))[0]).toMatch(/“C” is made with this one/)
    expect(
      problemMessages(
        await change({ did: { event: 'x', filter: { type: 'cohort', cohort: a.id, operator: 'in' } } }),
      )[0],
    ).toBe('A cohort cannot be made with itself.')
    expect(problemMessages(await change({ in: 'gone' }))[0]).toMatch(/no cohort “gone”/)
    expect(problemMessages(await product.people.cohorts.remove(1, a.id, operator()))[0]).toMatch(
      /“B” is made with this one/,
    )
  })

  test('of another project are not known', async () => {
    const { product, aProject } = await openTestProduct()
    await aProject()
    const other = await aProject({ name: 'Other' })
    const { cohort } = requireDone(
      await product.people.cohorts.create(other.id, { name: 'Theirs', definition: bought }, operator()),
    )
    const definition = { in: cohort.id }
    expect(
      problemMessages(await product.people.cohorts.create(1, { name: 'Ours', definition }, operator()))[0],
    ).toMatch(/no cohort/)
    expect(await product.people.cohorts.find(1, cohort.id, operator())).toBeUndefined()
    expect(
      problemMessages(await product.people.cohorts.change(1, cohort.id, { name: 'Ours' }, operator()))[0],
    ).toMatch(/no such/)
  })
})

test('a picked person counts as who they have become, and word of a change reaches other processes', async () => {
  const { product, aProject, anotherProcess } = await openTestProduct()
  await aProject()
  const ana = '00000000-0000-4000-8000-00000000000a'
  const { cohort } = requireDone(
    await product.people.cohorts.create(1, { name: 'Picked', persons: [ana] }, operator()),
  )
  const other = await anotherProcess()
  expect((await other.people.cohorts.membership(1)).get(cohort.id)).toEqual([ana])

  requireDone(await product.people.cohorts.removePerson(1, cohort.id, ana, operator()))
  await expect.poll(async () => (await other.people.cohorts.membership(1)).get(cohort.id)).toEqual([])
})
