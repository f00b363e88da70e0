import { expect, test } from 'vitest'
import { FlagListeners } from './flag-listeners'

/** Listeners of a project with two environments, whose definitions are what is said here. */
function aHall() {
  const substances: Record<string, string> = { '1 production': 'a', '1 staging': 'a', '2 production': 'a' }
  const listeners = new FlagListeners(
    (projectId, environment) => ({
      text: '',
      etag: '',
      substance: substances[`${projectId} ${environment}`] ?? '',
    }),
    { now: () => new Date(0) },
  )
  const listen = (environment: string, address = '203.0.113.7', key = 'phc_acme') => {
    const messages: string[] = []
    const stop = listeners.add({
      projectId: 1,
      environment,
      key,
      address,
      notify: ({ substance }) => messages.push(substance),
      end: () => messages.push('the end'),
    })
    return { messages, stop }
  }
  return { substances, listeners, listen }
}

test('a change is sent once to the listeners of its environment', () => {
  const { substances, listeners, listen } = aHall()
  const [production, staging] = [listen('production'), listen('staging')]
  substances['1 staging'] = 'b'
  listeners.notify(1)
  listeners.notify(1)
  listeners.notify(2)
  expect([production.messages, staging.messages]).toEqual([[], ['b']])
})

test('a listener that has left hears nothing more, and leaving twice changes nothing', () => {
  const { substances, listeners, listen } = aHall()
  const { messages, stop } = listen('production')
  stop?.()
  stop?.()
  substances['1 production'] = 'b'
  listeners.notify(1)
  expect(messages).toEqual([])
})

test('a network may have so many listeners; those of others stay, and one that leaves makes room', () => {
  const { listen } = aHall()
  const first = listen('production')
  const others = Array.from({ length: 300 }, (_, n) => listen('production', `203.0.113.${n % 250}`))
  expect(others.filter(({ stop }) => stop).length).toBe(199)
  expect(listen('production', '198.51.100.1').stop).toBeDefined()
  expect(listen('production').stop).toBeUndefined()
  first.stop?.()
  expect(listen('production').stop).toBeDefined()
})

test('a stream ends with the key that it was opened with', () => {
  const { listeners, listen } = aHall()
  const [kept, revoked] = [listen('production'), listen('production', undefined, 'phc_revoked')]
  listeners.endRevoked(({ key }) => key === 'phc_acme')

  expect([kept.messages, revoked.messages]).toEqual([[], ['the end']])
})
