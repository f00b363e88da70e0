import { afterAll } from 'vitest'
import type { EndLater } from '../start/tilth'

/** Ends what the tests of a file share after the last of them, in the opposite order of its start. */
export function endAfterFile(): EndLater {
  const ends: Parameters<EndLater>[0][] = []
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })
  return (end) => void ends.push(end)
}
