import { expect, test, vi } from 'vitest'
import { LiveCopy } from './live-copy'

function aCopy() {
  const reads: ((value: string) => void)[] = []
  const troubles: unknown[] = []
  const listeners = new Set<(topic: string) => void>()
  const state = { isAway: false }
  const copy = new LiveCopy<string>({
    store: {
      onChange(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    topics: ['posts'],
    initial: 'nothing',
    read: () =>
      state.isAway ? Promise.reject(new Error('away')) : new Promise((resolve) => reads.push(resolve)),
    onTrouble: (problem) => troubles.push(problem),
  })
  const announce = (topic: string) => listeners.forEach((listener) => listener(topic))
  return { copy, reads, state, troubles, announce }
}

test('calls during a read are answered by one more read', async () => {
  const { copy, reads } = aCopy()
  const all = Promise.all([copy.reload(), copy.reload(), copy.reload()])
  reads[0]?.('first')
  await vi.waitFor(() => expect(reads).toHaveLength(2), 20_000)
  reads[1]?.('second')
  await all
  expect(reads).toHaveLength(2)
  expect(copy.value).toBe('second')
})

test('a failed read is retried until the copy is closed', async () => {
  vi.useFakeTimers()
  try {
    const { copy, reads, state } = aCopy()
    state.isAway = true
    await expect(copy.reload()).rejects.toThrow('away')
    state.isAway = false
    await vi.advanceTimersByTimeAsync(1000)
    expect(reads).toHaveLength(1)
    reads[0]?.('first')
    state.isAway = true
    await expect(copy.reload()).rejects.toThrow('away')
    await copy.close()
    await vi.advanceTimersByTimeAsync(5000)
    expect(reads).toHaveLength(1)
  } finally {
    vi.useRealTimers()
  }
})

test('a change of its topics is read, and listeners get the value with the last one', async () => {
  const { copy, reads, announce } = aCopy()
  const messages: string[][] = []
  copy.onChange((...values) => messages.push(values))
  announce('flags')
  expect(reads).toHaveLength(0)
  announce('posts')
  expect(copy.value).toBe('nothing')
  reads[0]?.('first')
  await copy.caughtUp()
  expect([copy.value, messages]).toEqual(['first', [['first', 'nothing']]])
  await copy.close()
  announce('posts')
  expect(reads).toHaveLength(1)
})

test('it says for how long the store has said something else, and tells of the trouble once', async () => {
  vi.useFakeTimers()
  try {
    const { copy, reads, state, troubles, announce } = aCopy()
    state.isAway = true
    announce('posts')
    await vi.advanceTimersByTimeAsync(2500)
    expect(copy.staleMs).toBeGreaterThanOrEqual(2500)
    expect(troubles).toHaveLength(1)
    state.isAway = false
    await vi.advanceTimersByTimeAsync(1000)
    reads[0]?.('first')
    await copy.caughtUp()
    expect([copy.staleMs, copy.value]).toEqual([0, 'first'])
    await copy.close()
  } finally {
    vi.useRealTimers()
  }
})
