import { expect, test } from 'vitest'
import { anEngine } from '#test/product/test-engine'
import { sessionIdleMs } from '../sessions'
import { readOngoingSessions } from './restore-sessions'

const testEngine = anEngine()

test('after a restart, sessions go on that were not idle for too long', async () => {
  const idleFor = (share: number) => new Date(Date.now() - share * sessionIdleMs).toISOString()
  await testEngine.addProject([
    { person: 'ana', event: '$pageview', at: idleFor(0.6), session: 'ana' },
    { person: 'ben', event: '$pageview', at: idleFor(1.4), session: 'ben' },
  ])
  const sessions = await readOngoingSessions(testEngine.engine())
  expect(sessions.map(({ distinctId }) => distinctId)).toEqual(['ana'])
})
