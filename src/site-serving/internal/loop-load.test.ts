import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LoopLoad } from './loop-load'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

test('a process is busy while it is hardly ever idle, and while it does not answer', () => {
  const load = new LoopLoad(2000)
  vi.advanceTimersByTime(1000)
  load.note(100)
  expect(load.isBusy()).toBe(false)
  vi.advanceTimersByTime(1000)
  load.note(1050)
  expect(load.isBusy()).toBe(true)
  vi.advanceTimersByTime(1000)
  load.note(1100)
  expect(load.isBusy()).toBe(false)
  vi.advanceTimersByTime(2500)
  expect(load.isBusy()).toBe(true)
})

test('a process that was started again begins from nothing', () => {
  const load = new LoopLoad(2000)
  vi.advanceTimersByTime(1000)
  load.note(990)
  vi.advanceTimersByTime(1000)
  load.note(20)
  expect(load.isBusy()).toBe(false)
})
