import { beginningBefore, eventsByDay } from '#demo/demo-days'
import type { DemoEvent } from '#demo/event'

/** A Saturday, in the middle of the day. */
export const demoNow = new Date('2026-03-14T12:00:00.000Z')

export const demoDays = ({
  events = 1000,
  now = demoNow,
  seed = 'test',
}: { events?: number; now?: Date; seed?: string } = {}): DemoEvent[][] => [
  ...eventsByDay({ seed, begin: beginningBefore(now), until: now, events }),
]

/** The demo's ninety days up to `now`, as thinly as wanted, to fill a project of a test's with. */
export const demoEvents = (wanted: { events?: number; now?: Date; seed?: string } = {}): DemoEvent[] =>
  demoDays(wanted).flat()

/** Sends them the way `tilth demo` does. */
export async function sendDemo(
  address: string,
  writeKey: string,
  events: readonly DemoEvent[],
): Promise<void> {
  for (let from = 0; from < events.length; from += 1000) {
    const batch = events.slice(from, from + 1000)
    const answer = await fetch(`${address}/batch/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: writeKey, historical_migration: true, batch }),
    })
    if (!answer.ok) throw new Error(`Tilth answered ${answer.status}: ${await answer.text()}`)
  }
}
