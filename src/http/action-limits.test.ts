import { EventEmitter } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { formMemoryOf, leastMemoryBytes } from '#engine/budget'
import { acquireActionSlot, ActionLimits } from './action-limits'
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

/** A form of this network that has arrived, and its response. */
function aForm(client: string) {
  const response = Object.assign(new EventEmitter(), { destroyed: false })
  // only the network and the end of the response are read
  return { response, exchange: { trustedRequest: { client }, response } as unknown as Exchange }
}

test('seven people of one network who sign up at once are all heard, however slow the machine is', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const limits = new ActionLimits(formMemoryOf(leastMemoryBytes))
  const admitted = Array.from({ length: 7 }, async () => {
    const { response, exchange } = aForm('203.0.113.7')
    if (!(await acquireActionSlot(exchange, limits, 'visitors'))) return false
    // each takes the only slot of its network for four seconds
    setTimeout(() => response.emit('close'), 4000)
    return true
  })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await Promise.all(admitted)).toEqual(Array.from({ length: 7 }, () => true))
  expect(limits.refused).toBe(0)
})

test('one network that sends forms without end waits alone, and is refused', async () => {
  const limits = new ActionLimits(formMemoryOf(leastMemoryBytes))
  const waiting = Array.from({ length: 16 }, () =>
    acquireActionSlot(aForm('203.0.113.7').exchange, limits, 'visitors'),
  )
  expect(await acquireActionSlot(aForm('203.0.113.7').exchange, limits, 'visitors')).toBe(false)
  expect(await acquireActionSlot(aForm('198.51.100.7').exchange, limits, 'visitors')).toBe(true)
  expect(await waiting[0]).toBe(true)
})
