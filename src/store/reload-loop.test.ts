import { expect, test, vi } from 'vitest'
import { ReloadLoop } from './reload-loop'

function aLoop() {
  const reads: (() => void)[] = []
  const state = { isAway: false }
  const loop = new ReloadLoop({
    read: () =>
      state.isAway ? Promise.reject(new Error('away')) : new Promise((resolve) => reads.push(resolve)),
    retryMs: 1000,
    onTrouble: () => {},
  })
  return { loop, reads, state }
}

test('calls during a read are answered by one more read', async () => {
  const { loop, reads } = aLoop()
  const all = Promise.all([loop.reload(), loop.reload(), loop.reload()])
  reads[0]?.()
  await vi.waitFor(() => expect(reads).toHaveLength(2), 20_000)
  reads[1]?.()
  await all
  expect(reads).toHaveLength(2)
})

test('a failed read is retried until the loop is closed', async () => {
  vi.useFakeTimers()
  try {
    const { loop, reads, state } = aLoop()
    state.isAway = true
    await expect(loop.reload()).rejects.toThrow('away')
    state.isAway = false
    await vi.advanceTimersByTimeAsync(1000)
    expect(reads).toHaveLength(1)
    reads[0]?.()
    state.isAway = true
    await expect(loop.reload()).rejects.toThrow('away')
    await loop.close()
    await vi.advanceTimersByTimeAsync(5000)
    expect(reads).toHaveLength(1)
  } finally {
    vi.useRealTimers()
  }
})
