import { expect, test } from 'vitest'
import { aProjectWithStore, present, requireDone } from '#test/product/fixture'
import type { GuardReading } from '#flags/guard'
import { GuardEngine } from '#flags/guards/guard-engine'
import { Guards } from '#flags/guards/internal/guards'
import { operator } from '#projects/access'
import { outgoingMessagesAbout } from './deliveries/store'
import { letterFor } from './letters/internal/letter'
import { rolloutNotices } from './rollout-notices'
import { webhookBody } from './internal/webhook-body'

const ana = operator('Ana')
const own = [{ by: 'mail', address: 'cleo@example.com' } as const]
const people = { got: 500, others: 500 }
const broken: GuardReading = { state: 'broken', got: 0.3, others: 0.08, people }

async function aRolloutWithAlerts() {
  const { world, store, product, id } = await aProjectWithStore()
  const webhook = { by: 'webhook', url: 'https://hooks.example.com/tilth' }
  const alert = {
    watched: { type: 'event', event: 'ordered' },
    condition: { type: 'absence', minutes: 60 },
    recipients: [webhook, { by: 'mail', address: 'client@example.com' }],
  }
  for (const name of ['Orders', 'More orders'])
    requireDone(await product.alerts.create(id, { name, ...alert }, ana))
  const production = { isOn: true, conditions: [{ percentage: 1 }] }
  requireDone(await product.flags.create(id, { key: 'checkout', environments: { production } }, ana))
  const tell = rolloutNotices({
    world,
    projects: product.projects,
    canMail: () => true,
    recipientsOf: async (_transaction, _projectId, experiment) => (experiment === 'told' ? own : []),
  })
  const engine = new GuardEngine({
    store,
    world,
    readMetrics: async () => [broken],
    notify: tell,
  })
  const guards = new Guards({ store, engine, objectionTo: async () => undefined })
  const plan = {
    flag: 'checkout',
    steps: [{ percentage: 10, afterMinutes: 0 }],
    metrics: [{ type: 'exceptions' }],
  }
  const { guard } = requireDone(await guards.create(id, plan, ana))
  return {
    id,
    guards,
    guard,
    tell: async (experiment: string) =>
      await store.transaction((transaction) =>
        tell(transaction, { ...guard, experiment, state: 'completed' }),
      ),
    outgoing: async () => await outgoingMessagesAbout(store, 'rollouts', 10),
  }
}

test('a rollback is told to the webhooks of alerts, once each, and not to addresses outside', async () => {
  const { guards, outgoing } = await aRolloutWithAlerts()
  await guards.run()
  const [notice, ...others] = await outgoing()
  expect(others).toEqual([])
  const { recipient, message } = present(notice)
  expect(recipient).toMatchObject({ by: 'webhook', url: 'https://hooks.example.com/tilth' })
  expect(JSON.parse(webhookBody(message, 'https://tilth.example'))).toMatchObject({
    type: 'rollout.rolled_back',
    text: expect.stringMatching(/^Rolled back: checkout\. Exceptions per visitor: 0\.3 for/),
    rollout: { flag: 'checkout', url: 'https://tilth.example/studio/acme/flags/checkout' },
  })
  const letter = letterFor(message, {
    origin: 'https://tilth.example',
    link: 'https://tilth.example/no-more',
  })
  expect(letter.subject).toBe('Rolled back: checkout (Acme)')
  expect(letter.text).toContain('That is over 20% more, and hardly chance.')
})

test('a rollout that a member stops is told to no one', async () => {
  const { id, guards, guard, outgoing } = await aRolloutWithAlerts()
  requireDone(await guards.stop(id, guard.id, {}, ana))
  expect(await outgoing()).toEqual([])
})

test('the rollout of an experiment is told to the recipients that the experiment chose, if it chose any', async () => {
  const { tell, outgoing } = await aRolloutWithAlerts()
  await tell('told')
  expect((await outgoing()).map(({ recipient }) => recipient)).toEqual(own)
  await tell('another')
  expect((await outgoing()).map(({ recipient }) => recipient.by).toSorted()).toEqual(['mail', 'webhook'])
})
