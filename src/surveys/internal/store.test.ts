import { expect, test } from 'vitest'
import { operator } from '#projects/access'
import { openStore } from '#store/open'
import { openTables, type RowsOf } from '#store/tables'
import { openTestProduct, requireDone } from '#test/product/fixture'

interface Tables {
  surveys: RowsOf<{ definition: { content: object } }>
  surveyVersions: RowsOf<{ content: object }>
}

test('a survey that was stored with CSS of its own opens, is edited and launched without it', async () => {
  const { product, folder, aProject } = await openTestProduct()
  const { id: project } = await aProject()
  const input = { name: 'Why?', content: { questions: [{ id: 'why', kind: 'open', text: 'Why?' }] } }
  const { survey } = requireDone(await product.surveys.create(project, input, operator()))
  const store = await openStore({ folder })
  const tables = openTables<Tables>({ json: ['definition', 'content'] })(store)
  const appearance = { ...survey.content.appearance, css: '.question { color: red }' }
  const content = { ...survey.content, appearance }
  const { definition } = await tables.selectFrom('surveys').selectAll().executeTakeFirstOrThrow()
  await tables
    .updateTable('surveys')
    .set({ definition: { ...definition, content } })
    .execute()
  await tables.updateTable('surveyVersions').set({ content }).execute()

  expect(await product.surveys.find(project, survey.id, operator())).toEqual(survey)
  const [version] = await product.surveys.versions(project, survey.id, operator())
  expect(version?.content).toEqual(survey.content)
  requireDone(await product.surveys.launch(project, survey.id, {}, operator()))
  const edited = requireDone(
    await product.surveys.change(project, survey.id, { name: 'Why not?', content }, operator()),
  ).survey
  expect(edited).toMatchObject({ name: 'Why not?', version: 1, content: survey.content })
  expect(await tables.selectFrom('surveys').selectAll().executeTakeFirstOrThrow()).not.toHaveProperty(
    'definition.content.appearance.css',
  )
  await store.close()
})
