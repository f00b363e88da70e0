import { expect, test } from 'vitest'
import { showProgress } from './demo-progress'

function seen(isTTY: boolean): string {
  let text = ''
  const progress = showProgress({ isTTY, write: (words) => (text += words) })
  for (let part = 0; part <= 20; part++) progress.show(part * 10_000, part / 20)
  progress.end()
  return text
}

test('a log gets a line for every tenth', () => {
  const lines = seen(false).trim().split('\n')
  expect(lines).toHaveLength(10)
  expect(lines[0]).toBe('Demo: 10 %, 20,000 events')
  expect(lines.at(-1)).toBe('Demo: 100 %, 200,000 events')
})

test('a terminal gets one bar that grows, and is gone in the end', () => {
  const drawn = seen(true).split('\r')
  expect(drawn[11]).toContain('███████████████░░░░░░░░░░░░░░░ 50 %  100,000 events')
  expect(drawn.at(-1)).toBe('\u001B[K')
})
