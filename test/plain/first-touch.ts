import { isHuman, inOrder } from './visits'
import type { TestEvent } from '../product/test-engine'

const columns: Record<string, 'source' | 'channel'> = {
  $initial_source: 'source',
  $initial_channel_type: 'channel',
}

/** The events of people with their person's first touch as a property of each; without it if nothing tells. */
export function withFirstTouch(
  key: string,
  story: { project: number; events: readonly TestEvent[] },
): TestEvent[] {
  const ordered = inOrder(story)
  return ordered.filter(isHuman).map((event) => {
    const first = ordered.find(
      (one) =>
        one.person === event.person &&
        isHuman(one) &&
        (one.event === '$pageview' || one.event === '$screen') &&
        one.columns?.channel,
    )
    const value = first?.columns?.[columns[key] ?? 'source']
    return value ? { ...event, properties: { ...event.properties, [key]: value } } : event
  })
}
