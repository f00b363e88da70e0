import { expect, test } from 'vitest'
import { aSetWorld, anEnvelope, anEvent, anIngestContext, expectDropped } from '#test/product/ingest-fixture'
import { EventQuota } from './quota'

const engineThatCounted = (events: number, meanwhile = () => {}) => ({
  query: async <Row>() => {
    meanwhile()
    return [{ projectId: 1, events: String(events) }] as Row[]
  },
})

test('the events of a month are counted, and no more than the bound are let in', () => {
  const quota = new EventQuota(aSetWorld())
  expect([quota.admit(1, 2), quota.admit(1, 2), quota.admit(1, 2)]).toEqual([true, true, false])
  expect(quota.admit(2, 2)).toBe(true)
})

test('a bound that is raised or taken away holds for the next event', () => {
  const quota = new EventQuota(aSetWorld())
  quota.admit(1, 1)
  expect([quota.admit(1, 1), quota.admit(1, 2), quota.admit(1)]).toEqual([false, true, true])
})

test('counting begins at zero with each month', () => {
  const world = aSetWorld('2026-03-31T23:59:59.999Z')
  const quota = new EventQuota(world)
  quota.admit(1, 1)
  world.set('2026-04-01T00:00:00Z')
  expect(quota.admit(1, 1)).toBe(true)
})

test('what could not be written down is given back', () => {
  const quota = new EventQuota(aSetWorld())
  quota.admit(1, 1)
  quota.giveBack(1, 1)
  expect(quota.admit(1, 1)).toBe(true)
})

test('what the engine counts holds, with what came while it counted', async () => {
  const quota = new EventQuota(aSetWorld())
  for (let n = 0; n < 50; n++) quota.admit(1)
  // forty of them had been sent before
  await quota.recount(engineThatCounted(10, () => quota.admit(1)))
  const admitted = Array.from({ length: 20 }, () => quota.admit(1, 15)).filter(Boolean)
  expect(admitted).toHaveLength(4)
})

test('when the engine cannot count, what was counted here holds on', async () => {
  const quota = new EventQuota(aSetWorld())
  quota.admit(1, 1)
  const away = { query: () => Promise.reject(new Error('away')) }
  await expect(quota.recount(away)).rejects.toThrow('away')
  expect(quota.admit(1, 1)).toBe(false)
})

test('an event that is dropped for another reason costs nothing', async () => {
  const context = await anIngestContext(undefined, { monthlyEvents: 1, shields: { pages: ['/admin*'] } })
  const admin = anEvent({ properties: { $current_url: 'https://example.com/admin' } })
  expect(expectDropped(admin, anEnvelope(), context)).toBe('shielded-page')
  expect(expectDropped(anEvent(), anEnvelope(), context)).toBeUndefined()
  expect(expectDropped(anEvent(), anEnvelope(), context)).toBe('over-quota')
})

test('an event over the limit does not change sessions', async () => {
  const context = await anIngestContext(undefined, { monthlyEvents: 1 })
  expectDropped(anEvent({ distinctId: 'ana' }), anEnvelope(), context)
  expectDropped(anEvent({ distinctId: 'ben' }), anEnvelope(), context)
  expect([...context.sessions.all()].map(({ distinctId }) => distinctId)).toEqual(['ana'])
})
