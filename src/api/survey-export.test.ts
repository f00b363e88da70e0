import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aWorld, requireDone, testOrigin } from '#test/product/fixture'
import { type Engine, EngineError } from '#engine/engine'
import { StreamedBody } from '#http/streamed-body'
import { operator } from '#projects/access'
import { openProduct } from '#server/product'
import { handleApiRequest } from './endpoints'

const content = { questions: [{ id: 'why', kind: 'open', text: 'Why?' }] }

/** A program with a key that may read surveys, of a Tilth with this engine. */
async function aProgram(query: () => Promise<never[]>) {
  const product = await openProduct({
    store: { folder: mkdtempSync(join(tmpdir(), 'export-')) },
    world: aWorld('export'),
    engine: { query } as unknown as Engine, // the export asks for nothing else
  })
  onTestFinished(() => product.close())
  const { project } = requireDone(await product.projects.create({ name: 'Acme' }, operator()))
  requireDone(await product.surveys.create(project.id, { id: 'survey-1', name: 'Why?', content }, operator()))
  const key = { name: 'Script', scopes: ['project:read', 'surveys:read'] }
  const { text } = requireDone(await product.projects.keys.create(project.id, key, operator()))
  return (address: string) => {
    const [path = '', search = ''] = address.split('?')
    return handleApiRequest(
      {
        method: 'GET',
        path: `/projects/acme/surveys/${path}`,
        query: new URLSearchParams(search),
        authorization: `Bearer ${text}`,
        body: async () => new Uint8Array(),
        origin: testOrigin,
      },
      product,
    )
  }
}

async function fileIn(body: unknown) {
  if (!(body instanceof StreamedBody)) throw new Error('There is no file.')
  let text = ''
  for await (const part of body.parts)
    text += typeof part === 'string' ? part : Buffer.from(part).toString('latin1')
  return { name: body.fileName, type: body.contentType, text }
}

test('responses are downloaded as CSV, XLSX or JSON', async () => {
  const call = await aProgram(async () => [])

  expect(await fileIn((await call('survey-1/export')).body)).toMatchObject({
    name: 'survey-1.csv',
    type: 'text/csv; charset=utf-8',
    text: expect.stringMatching(/^\uFEFFid,answeredAt,startedAt,.*,Why\?,tags\r\n$/),
  })
  expect(
    await fileIn((await call('survey-1/export?format=json&period=30d&search=slow&tag=bug')).body),
  ).toEqual({
    name: 'survey-1.json',
    type: 'application/json',
    text: '[]\n',
  })
  expect(await fileIn((await call('survey-1/export?format=xlsx')).body)).toMatchObject({
    name: 'survey-1.xlsx',
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    text: expect.stringContaining('xl/workbook.xml'),
  })
})

test('an unknown survey, an unknown format and an engine that is away are answers, not files', async () => {
  const call = await aProgram(() => Promise.reject(new EngineError('unavailable', 'The engine is away.')))

  expect((await call('other/export')).status).toBe(422)
  expect((await call('survey-1/export?format=xml')).status).toBe(422)
  expect((await call(`survey-1/export?tag=${'x'.repeat(51)}`)).status).toBe(422)
  expect((await call('survey-1/export')).status).toBe(503)
})
