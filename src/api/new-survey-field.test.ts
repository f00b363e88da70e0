import { afterAll, expect, test, vi } from 'vitest'
import { z } from 'zod'

vi.resetModules()
vi.doMock(import('#surveys/survey-schema'), async (original) => {
  const schemas = await original()
  const audience = z.enum(['everybody', 'members']).default('everybody')
  const surveyContent = schemas.surveyContent.extend({ mood: z.enum(['calm', 'lively']).default('calm') })
  const added = { audience, content: surveyContent.prefault({}) }
  return {
    ...schemas,
    surveyContent,
    editableSurvey: schemas.editableSurvey.extend(added),
    surveySchema: schemas.surveySchema.extend(added),
    surveyVersion: schemas.surveyVersion.extend({ content: surveyContent }),
  }
})
// the modules of a product that knows the new fields, which the other files of this process do not share
const { anApiProgram } = await import('#test/product/api-program')
const { operator } = await import('#projects/access')
const { endpoints } = await import('./endpoints')
const { describe } = await import('./internal/openapi')

afterAll(() => {
  vi.doUnmock('#surveys/survey-schema')
  vi.resetModules()
})

test('a field that is added to the schema alone is in the API, its description, the store, the audit log and the versions', async () => {
  const { ask, product, id } = await anApiProgram()
  const content = { questions: [{ id: 'why', kind: 'open', text: 'Why?' }] }
  const made = (await ask('POST', '/surveys', { name: 'Churn', content })).body
  expect(made).toMatchObject({ audience: 'everybody', content: { mood: 'calm' } })
  const survey = `/surveys/${(made as { id: string }).id}`

  await ask('POST', `${survey}/launch`, {})
  const change = { audience: 'members', content: { mood: 'lively' } }
  expect((await ask('PATCH', survey, change)).body).toMatchObject(change)
  expect((await ask('PATCH', survey, { name: 'Why?' })).body).toMatchObject(change)
  expect((await ask('PATCH', survey, { audience: 'nobody' })).status).toBe(422)
  expect((await ask('PATCH', survey, { content: { mood: 'sad' } })).status).toBe(422)
  expect((await ask('GET', survey)).body).toMatchObject(change)

  const described = JSON.stringify(describe(endpoints))
  expect(described).toContain(
    '"audience":{"default":"everybody","type":"string","enum":["everybody","members"]}',
  )
  expect(described).toContain('"mood":{"default":"calm","type":"string","enum":["calm","lively"]}')

  const [, entry] = await product.projects.audit.list(id, { action: 'survey.change' }, operator())
  expect(entry).toMatchObject({ before: { audience: 'everybody' }, after: { audience: 'members' } })

  expect((await ask('GET', `${survey}/versions`)).body).toMatchObject({
    versions: [{ content: { mood: 'lively' } }, { content: { mood: 'calm' } }],
  })
})
