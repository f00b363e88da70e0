import { expect, test } from 'vitest'
import { anApiProgram } from '#test/product/api-program'
import { endpoints } from '../endpoints'

/** A program with a key of a project that has a published post. */
async function aProgram() {
  const { ask } = await anApiProgram()
  await ask('POST', '/posts', { title: 'Hello', body: 'We **began**.' })
  await ask('POST', '/posts/1/publish', {})
  return ask
}

test('lists are made, filled, read and emptied over the API', async () => {
  const ask = await aProgram()
  expect(await ask('POST', '/letter-lists', { key: 'weekly', name: 'Weekly' })).toEqual({
    status: 201,
    body: { list: { key: 'weekly', name: 'Weekly', isOpen: true } },
  })
  expect((await ask('POST', '/letter-lists', { key: 'weekly', name: 'Again' })).status).toBe(422)
  expect((await ask('PATCH', '/letter-lists/weekly', { isOpen: false })).body).toMatchObject({
    list: { name: 'Weekly', isOpen: false },
  })
  const input = { addresses: 'ana@example.com\nBEN@example.com\nnobody', consent: 'They agreed at the fair.' }
  expect((await ask('POST', '/letter-lists/weekly/import', input)).body).toEqual({
    added: 2,
    known: 0,
    left: 0,
    unreadable: ['nobody'],
  })
  const { body } = await ask('GET', '/letter-lists/weekly/subscribers?search=ben&state=confirmed')
  expect(body).toMatchObject({
    subscribers: [{ address: 'ben@example.com', source: 'import', consent: 'They agreed at the fair.' }],
    hasMore: false,
  })
  const [ben] = body['subscribers'] as { id: string }[] // the line above says so
  expect(ben).not.toHaveProperty('addressHash')
  expect((await ask('DELETE', `/subscribers/${ben?.id}`)).body).toEqual({})
  expect((await ask('DELETE', `/subscribers/${ben?.id}`)).status).toBe(422)
  expect((await ask('GET', '/letter-lists')).body).toMatchObject({
    lists: [
      { key: 'newsletter', counts: { confirmed: 0 } },
      { key: 'weekly', counts: { confirmed: 1 } },
    ],
  })
})

test('a letter is previewed, and is not sent without a mail server', async () => {
  const ask = await aProgram()
  const consent = 'They agreed at the fair.'
  await ask('POST', '/letter-lists/newsletter/import', { addresses: 'ana@example.com', consent })
  expect((await ask('PATCH', '/letter-settings', { postalAddress: '1 Main Street' })).body).toMatchObject({
    settings: { postalAddress: '1 Main Street', perMinute: 60 },
  })
  expect((await ask('PATCH', '/letter-settings', { perMinute: 5 })).body).toMatchObject({
    settings: { postalAddress: '1 Main Street', perMinute: 5 },
  })
  const letter = { post: '1', subjects: ['Hello'] }
  expect((await ask('POST', '/letters/preview', letter)).body).toMatchObject({
    letter: { subject: 'Hello', text: expect.stringContaining('We began.') },
    recipients: 1,
  })
  const sent = await ask('POST', '/letters', letter)
  expect([sent.status, JSON.stringify(sent.body)]).toEqual([
    422,
    expect.stringContaining('Settings → E-mail'),
  ])
  expect((await ask('GET', '/letters')).body).toEqual({ letters: [] })
  expect((await ask('GET', '/letters/none')).status).toBe(422)
  expect((await ask('POST', '/letters/bounces', { message: 'Hello' })).status).toBe(422)
})

test('every call about letters names the right it takes', () => {
  const about = endpoints.filter(({ path }) => /letter|subscriber/.test(path))
  expect(about.length).toBeGreaterThan(12)
  expect(about.filter(({ right }) => !right || !/^(?:letters|subscribers):/.test(right))).toEqual([])
})
