import { expect, test } from 'vitest'
import { formMemoryOf, leastMemoryBytes } from '#engine/budget'
import { ActionLimits } from './action-limits'
import { bodyLimits } from './limits'
import type { Exchange } from './trusted-request'

const MB = 1024 ** 2
// only the network is read
const from = (client: string) => ({ trustedRequest: { client } }) as Exchange

test.each([leastMemoryBytes, 1024 * MB, 16_384 * MB])(
  'of %i bytes, the largest form of a member fits, whatever another network sends',
  (memoryBytes) => {
    const limits = new ActionLimits(formMemoryOf(memoryBytes))
    const office = limits.members.memoryOf(from('203.0.113.7'))
    expect(office.take(bodyLimits.page)).toBe(true)
    while (office.take(64 * 1024));
    expect(limits.members.memoryOf(from('198.51.100.7')).take(bodyLimits.page)).toBe(true)
    expect(limits.visitors.memoryOf(from('203.0.113.7')).take(64 * 1024)).toBe(true)
  },
)

test('little memory takes fewer forms at once', () => {
  const taken = [512 * MB, 4096 * MB].map((memoryBytes) => {
    const { members } = new ActionLimits(formMemoryOf(memoryBytes))
    const networks = Array.from({ length: 40 }, (_, i) => members.memoryOf(from(`203.0.${i}.7`)))
    return networks.filter((network) => network.take(MB)).length
  })
  expect(taken).toEqual([16, 32])
})
