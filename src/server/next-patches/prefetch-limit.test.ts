import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'

const require = createRequire(import.meta.url)
// A loader has to be CommonJS, of which TypeScript knows no types.
const limitPrefetches = require('./prefetch-limit.cjs') as (source: string) => string

describe('the limit on prefetches', () => {
  test.each(['dist/client', 'dist/esm/client'])('is set in %s of the installed Next', (form) => {
    const scheduler = require.resolve(`next/${form}/components/segment-cache/scheduler.js`)

    const limited = limitPrefetches(readFileSync(scheduler, 'utf8'))

    expect(limited.match(/return inProgressRequests < \d+;/g)).toEqual(
      Array(2).fill('return inProgressRequests < 5;'),
    )
  })

  test.each([
    ['none of its limits', 'return true'],
    ['only one of them', 'return inProgressRequests < 4;'],
    ['a third one', 'return inProgressRequests < 4;'.repeat(3)],
  ])('stops the build when Next has %s left', (_what, source) => {
    expect(() => limitPrefetches(source)).toThrow("Next's prefetch scheduler has changed")
  })
})
