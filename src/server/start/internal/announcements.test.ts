import { beforeEach, expect, test, vi } from 'vitest'
import { announceReadyAfterTroubles, announceStarted } from './announcements'

const address = new URL('http://localhost:3000')
let messages: string[] = []

beforeEach(() => {
  messages = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => messages.push(String(text)) > 0)
})

test('a start after which everything answers is said to be ready', () => {
  announceStarted({ address, setupCode: undefined, troubles: [], seconds: 2 })
  expect(messages.join('')).toContain('Tilth is ready')
})

test('a start with pages that do not answer is not said to be ready before they do', () => {
  const troubles = ['The pages process did not answer within 60 s; it is being started again.']
  announceStarted({ address, setupCode: '1111-2222-3333', troubles, seconds: 20 })
  expect(messages.join('')).not.toContain('Tilth is ready')
  expect(messages.join('')).toContain('Tilth is not ready yet')
  expect(messages.join('')).toContain('1111-2222-3333')
  expect(messages.join('')).toContain(troubles[0])

  announceReadyAfterTroubles(address)
  expect(messages.at(-1)).toBe('Tilth is ready at http://localhost:3000\n')
})
