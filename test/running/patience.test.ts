import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** The ways in which a test would state a duration in seconds, which differs on every machine. */
const inSeconds = [
  // a browser's own limit for what it may put off
  /(?<!requestIdleCallback\([^\n]*)\btimeout: (?!\d \* patienceMs)\d/,
  /^\s*\}, \d[\d_]{3,}\)$/m,
  /expect\((?:performance\.now|Date\.now|process\.cpuUsage|performance\.eventLoopUtilization)\(/,
]

/** Of an input that must take no more than linear work. */
const sizes = /expectLinear\([\s\S]*?\n\s*\}, [\d_]+\)/g

const saysSeconds = (text: string): boolean => inSeconds.some((way) => way.test(text.replaceAll(sizes, '')))

test('no test has a limit in seconds of its own: test/running/patience.ts has one, which follows the machine', () => {
  const files = globSync('{src,test,tracker,packages}/**/*.{test.ts,test.tsx,contract.ts,cases.ts}', {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  }).filter((file) => file !== 'test/running/patience.test.ts')
  expect(files.length).toBeGreaterThan(500)
  expect(files.filter((file) => saysSeconds(readFileSync(join(root, file), 'utf8')))).toEqual([])
})

test.each([
  ["test('a', { timeout: 5000 }, () => {})", true],
  ["test('a', () => {\n}, 60_000)", true],
  ['expect(performance.now() - began).toBeLessThan(100)', true],
  ['await vi.waitFor(isThere, { timeout: patienceMs })', false],
  ['await expectLinear((size) => {\n  }, 10_000)', false],
  ['await vi.waitFor(isThere, { timeout: 4 * patienceMs })', false],
  ['requestIdleCallback(done, { timeout: 1000 })', false],
])('%s: %s', (text, expected) => {
  expect(saysSeconds(text)).toBe(expected)
})
