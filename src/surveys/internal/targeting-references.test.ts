import { expect, test } from 'vitest'
import { openTestProduct, problemMessages, requireDone } from '#test/product/fixture'
import { operator } from '#projects/access'

const viewer = operator()
const content = { questions: [{ id: 'why', kind: 'open', text: 'Why?' }] }

async function aProjectWithFlag() {
  const { product, aProject } = await openTestProduct()
  const { id } = await aProject()
  const variants = [
    { key: 'a', name: '', percentage: 50 },
    { key: 'b', name: '', percentage: 50 },
  ]
  requireDone(await product.flags.create(id, { key: 'split', kind: 'variants', variants }, viewer))
  const make = (targeting: object) => product.surveys.create(id, { name: 'Why?', content, targeting }, viewer)
  return { product, id, make }
}

const inCohort = (cohort: string) => ({ person: { type: 'cohort', cohort, operator: 'in' } })
const noFlag = 'A condition asks about the flag “gone”, which this project does not have.'
const noCohort = 'A condition asks for the cohort “staff”, which this project does not have.'

test.each<[string, object, string[]]>([
  ['a flag', { flag: { key: 'gone' } }, [noFlag]],
  [
    'a variant',
    { flag: { key: 'split', variant: 'c' } },
    ['A condition asks whether “split” gives “c”, which it never does.'],
  ],
  ['a cohort', inCohort('staff'), [noCohort]],
  ['several', { flag: { key: 'gone' }, ...inCohort('staff') }, [noFlag, noCohort]],
])('conditions on %s that the project does not have are refused', async (_, targeting, problems) => {
  const { make, product, id } = await aProjectWithFlag()
  expect(problemMessages(await make(targeting))).toEqual(problems)
  const { survey } = requireDone(await make({}))
  expect(problemMessages(await product.surveys.change(id, survey.id, { targeting }, viewer))).toEqual(
    problems,
  )
})

test('conditions on what the project has are kept; a launch asks again', async () => {
  const { make, product, id } = await aProjectWithFlag()
  const definition = { is: { type: 'person', key: 'staff', operator: 'exact', value: 'yes' } }
  const { cohort } = requireDone(
    await product.people.cohorts.create(id, { name: 'Staff', definition }, viewer),
  )
  const { survey } = requireDone(await make({ flag: { key: 'split', variant: 'a' }, ...inCohort(cohort.id) }))
  requireDone(await product.people.cohorts.remove(id, cohort.id, viewer))
  requireDone(await product.surveys.change(id, survey.id, { name: 'Why not?' }, viewer))
  expect(problemMessages(await product.surveys.launch(id, survey.id, {}, viewer))).toEqual([
    `A condition asks for the cohort “${cohort.id}”, which this project does not have.`,
  ])
})
