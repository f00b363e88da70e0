import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { eventNumber } from '#test/deep/crashlab/events'
import { personChangesFromEvent } from '#persons/apply-event'
import { formatJournalLine, parseJournalLine } from './journal-lines'

function usedHeap(): number {
  setFlagsFromString('--expose-gc')
  // only a new context has what the flag defines
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

test.each(['clicked', '$pageview'])(
  'the details of %s events do not stay in memory once a person was read from them',
  (name) => {
    const lines = Array.from({ length: 1000 }, (_, n) => {
      const properties = Object.fromEntries(
        Array.from({ length: 60 }, (_unused, i) => [`k${i}-${n}`, String(i)]),
      )
      return formatJournalLine(eventNumber(n, { name, properties }))
    })
    const events = lines.map(parseJournalLine)
    const before = usedHeap()
    for (const event of events) personChangesFromEvent(event)
    const growth = usedHeap() - before
    expect(events.at(-1)?.properties['k59-999']).toBe('59')
    expect(growth / lines.join('').length).toBeLessThan(1)
  },
)
