import { expect, test } from 'vitest'
import type { EmailMessage } from '#outbound/mailer'
import { resetLettersJob } from './reset-letters'

test('a letter holds the link behind "#", and a name that is markup stays text', async () => {
  const posted: EmailMessage[] = []
  const outcomes: string[] = []
  const letter = { to: 'ana@acme.example', name: '<b>Ana</b>', token: 'secret-token' }
  const job = resetLettersJob(
    { sendLetters: async (send) => void outcomes.push(await send(letter)) },
    { isSetUp: true, send: async (one) => (posted.push(one), { posted: true }) },
    'https://tilth.example',
  )
  await job.run({ extend: async () => true })

  expect(outcomes).toEqual(['sent'])
  expect(posted).toEqual([
    expect.objectContaining({
      to: 'ana@acme.example',
      text: expect.stringContaining('\nhttps://tilth.example/studio/reset#secret-token\n'),
      html: expect.stringContaining('&lt;b&gt;Ana'),
    }),
  ])
})

test.each([
  [false, 'later'],
  [true, 'never'],
])('where the mail server refuses, for good: %j, it is tried %s', async (isFinal, expected) => {
  const outcomes: string[] = []
  const letter = { to: 'ana@acme.example', name: 'Ana', token: 'secret-token' }
  const job = resetLettersJob(
    { sendLetters: async (send) => void outcomes.push(await send(letter)) },
    { isSetUp: true, send: async () => ({ posted: false, isFinal, why: '' }) },
    'https://tilth.example',
  )
  await job.run({ extend: async () => true })

  expect(outcomes).toEqual([expected])
})
