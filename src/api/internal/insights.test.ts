import { expect, test } from 'vitest'
import { anApiProgram } from '#test/product/api-program'

/** A program with a key of the project that may see and keep insights. */
async function aProgram(held: readonly string[] = ['project:read', 'events:read', 'insights:write']) {
  const { ask } = await anApiProgram({ held })
  return (method: string, path: string, body?: object) => ask(method, `/insights${path}`, body)
}

const visitors = { name: 'Visitors', question: { kind: 'totals' }, tags: ['board'] }

test('an insight is kept, found, changed, put away and restored', async () => {
  const ask = await aProgram()
  const { status, body } = await ask('POST', '', visitors)
  expect([status, body]).toEqual([201, expect.objectContaining({ name: 'Visitors', version: 1 })])
  const id = String(body.id)

  expect((await ask('GET', '?search=board')).body).toMatchObject({ insights: [{ id }] })
  expect((await ask('GET', '?kind=funnel')).body).toEqual({ insights: [] })
  expect((await ask('PATCH', `/${id}`, { name: 'Guests' })).body).toMatchObject({
    name: 'Guests',
    version: 2,
  })
  expect((await ask('GET', `/${id}/versions`)).body).toMatchObject({
    versions: [{ name: 'Guests' }, { name: 'Visitors' }],
  })
  expect((await ask('POST', `/${id}/versions/1/restore`)).body).toMatchObject({
    name: 'Visitors',
    version: 3,
  })
  expect((await ask('POST', `/${id}/duplicate`)).body).toMatchObject({ name: 'Visitors (copy)' })
  expect((await ask('POST', `/${id}/archive`)).body).toHaveProperty('archivedAt')
  expect((await ask('GET', '?archived=true')).body).toMatchObject({ insights: [{ id }] })
  expect((await ask('POST', `/${id}/restore`)).body).not.toHaveProperty('archivedAt')
  expect((await ask('GET', `/${id}`)).body).toMatchObject({ id, question: { kind: 'totals', period: '30d' } })
})

test('what cannot be kept says which part of it, and why', async () => {
  const ask = await aProgram()
  const { status, body } = await ask('POST', '', { name: 'Funnel', question: { kind: 'funnel', steps: [] } })

  expect([status, body]).toEqual([
    422,
    {
      error: {
        code: 'unprocessable',
        message: 'A funnel has at least two steps.',
        problems: [{ field: 'question.steps', message: 'A funnel has at least two steps.' }],
      },
    },
  ])
  expect((await ask('GET', '/nothing-like-it')).status).toBe(404)
})

test('fields and parameters that the API does not know are refused, and nothing is saved', async () => {
  const ask = await aProgram()
  const query = { kind: 'trend', series: [{ event: 'signup' }], filters: { all: [] } }
  expect(await ask('POST', '', { name: 'Signups', question: query })).toMatchObject({
    status: 422,
    body: {
      error: {
        problems: [
          { field: 'question.filters', message: 'There is no field "filters" here. Did you mean "filter"?' },
        ],
      },
    },
  })
  expect(await ask('GET', '?serach=board')).toMatchObject({
    status: 422,
    body: { error: { message: 'There is no query parameter "serach" here. Did you mean "search"?' } },
  })
  expect((await ask('GET', '')).body).toEqual({ insights: [] })
})

test('a kept query is answered by those who answer; without an engine, no one does', async () => {
  const ask = await aProgram()
  const { body } = await ask('POST', '', visitors)

  expect((await ask('POST', `/${String(body.id)}/ask`)).status).toBe(503)
})

test('a key that may only look keeps nothing', async () => {
  const ask = await aProgram(['project:read', 'events:read'])

  expect((await ask('GET', '')).status).toBe(200)
  expect((await ask('POST', '', visitors)).status).toBe(403)
})
