import { expect, test } from 'vitest'
import { studioPageScripts } from '../running/built-scripts'

/**
 * With gzip, before a page is ready; Brotli takes a seventh less. What a dialog or an editor needs is loaded when it
 * is used.
 */
const budgetBytes = 200_000

test('no page of the studio loads more script than its budget', () => {
  const measured = studioPageScripts()
  expect(measured.length).toBeGreaterThan(80)
  const over = measured
    .filter(({ gzipBytes }) => gzipBytes > budgetBytes)
    .map(({ page, gzipBytes }) => `${page}: ${gzipBytes}`)
  expect(over).toEqual([])
})
