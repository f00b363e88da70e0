import { describe, expect, test } from 'vitest'
import { aWorld } from '#test/product/fixture'
import { nextAttemptAt } from './retry-schedule'
import { newWebhookSecret, signToken, signatureHeaders, readSignedToken } from './signature'

describe('signatures of webhooks', () => {
  // the example of https://github.com/standard-webhooks/standard-webhooks
  test('are those that libraries for them expect', () => {
    const signing = {
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      at: new Date(1_614_265_330_000),
    }
    expect(signatureHeaders('{"test": 2432232314}', signing)).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  test('are made with a secret of 24 bytes of chance', () => {
    const world = aWorld()
    expect(newWebhookSecret(world)).toMatch(/^whsec_[\w+/]{32}$/)
    expect(newWebhookSecret(world)).not.toBe(newWebhookSecret(world))
  })
})

describe('words in links', () => {
  const token = signToken('{"to":"ana@example.com"}', 'key')

  test('are read again', () => expect(readSignedToken(token, 'key')).toBe('{"to":"ana@example.com"}'))

  test.each([
    ['another key', token, 'other'],
    [
      'another word',
      `${Buffer.from('{"to":"eve@example.com"}').toString('base64url')}.${token.split('.')[1]}`,
      'key',
    ],
    ['no seal', token.split('.')[0] ?? '', 'key'],
    ['a third part', `${token}.x`, 'key'],
    ['nothing', '', 'key'],
  ])('are no one’s with %s', (_, given, key) => expect(readSignedToken(given, key)).toBeUndefined())
})

test('attempts are made further and further apart, and given up after a day', () => {
  const now = new Date('2026-03-02T10:00:00Z')
  const minutes = Array.from({ length: 7 }, (_, i) => {
    const next = nextAttemptAt(i + 1, now)
    return next && (next.getTime() - now.getTime()) / 60_000
  })
  expect(minutes).toEqual([0.5, 2, 10, 60, 360, 1080, undefined])
  expect(nextAttemptAt(1, now, 600)).toEqual(new Date('2026-03-02T10:10:00Z'))
})
