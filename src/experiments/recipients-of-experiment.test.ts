import { expect, test } from 'vitest'
import {
  aProjectWithStore,
  memberHelpers,
  present,
  problemMessages,
  requireDone,
} from '#test/product/fixture'
import { operator } from '#projects/access'
import { recipientsOfExperiment } from './recipients-of-experiment'

const ana = operator('Ana')
const webhook = { by: 'webhook', url: 'https://hooks.example.com/team/secret-path' }
const address = { by: 'mail', address: 'client@example.com' }

async function aDraft() {
  const { store, product, id } = await aProjectWithStore()
  const variants = ['control', 'short'].map((key) => ({ key, percentage: 50 }))
  requireDone(await product.flags.create(id, { key: 'checkout', kind: 'variants', variants }, ana))
  const input = { name: 'Shorter checkout', flag: 'checkout' }
  const { experiment } = requireDone(await product.experiments.create(id, input, ana))
  const choose = async (recipients: unknown) =>
    await product.experiments.change(id, experiment.id, { recipients }, ana)
  return { store, product, id, experiment, choose, ...memberHelpers(product) }
}

test('an experiment has no recipients of its own until some are chosen, and none again after that', async () => {
  const { store, id, experiment, choose } = await aDraft()
  expect(experiment.recipients).toEqual([])
  requireDone(await choose([webhook, address]))
  expect(await recipientsOfExperiment(store, id, experiment.id)).toMatchObject([webhook, address])
  requireDone(await choose([]))
  expect(await recipientsOfExperiment(store, id, experiment.id)).toEqual([])
  expect(await recipientsOfExperiment(store, id, 'unknown')).toEqual([])
})

test.each([
  ['a stranger as a member', [{ by: 'member', member: 'nobody' }], 'is no member of this project'],
  ['a webhook in the own network', [{ by: 'webhook', url: 'http://10.0.0.1/' }], 'not on the open internet'],
  ['a recipient twice', [webhook, webhook], 'A recipient is listed twice.'],
  ['another kind', [{ by: 'pigeon' }], 'Give the type: webhook, member or mail.'],
])('%s is refused', async (_what, recipients, why) => {
  const { choose } = await aDraft()
  const outcome = await choose(recipients)
  expect(outcome.done ? [] : problemMessages(outcome)).toEqual([expect.stringContaining(why)])
})

test('members who may change an experiment see the secret of a webhook, others neither it nor the path', async () => {
  const { store, product, id, experiment, choose, aMember, signedIn } = await aDraft()
  const { recipients } = requireDone(await choose([webhook])).experiment
  expect(recipients).toEqual([{ ...webhook, secret: expect.stringMatching(/^whsec_/) }])
  expect(requireDone(await choose([address, webhook])).experiment.recipients[1]).toEqual(recipients[0])
  const [, stored] = await recipientsOfExperiment(store, id, experiment.id)
  expect(stored).toMatchObject(webhook)
  expect(JSON.stringify(stored)).not.toContain('whsec_')

  const viewer = await signedIn(await aMember({ role: 'viewer' }))
  const hidden = [address, { by: 'webhook', url: 'https://hooks.example.com/…', secret: '' }]
  expect(present(await product.experiments.find(id, experiment.id, viewer)).recipients).toEqual(hidden)
  const [listed] = await product.experiments.list(id, viewer)
  expect(present(listed).recipients).toEqual(hidden)
  const audited = JSON.stringify(await product.projects.audit.list(id, {}, ana))
  expect(audited).toContain('https://hooks.example.com/…')
  expect(audited).not.toContain('secret-path')
})

test('an address outside confirms before it gets e-mails', async () => {
  const { product, id, choose } = await aDraft()
  const { experiment } = requireDone(await choose([address, webhook]))
  const obstacles = await product.experiments.obstacles(experiment, ana)
  expect([...obstacles]).toEqual([['mail client@example.com', 'unconfirmed']])
  expect(id).toBe(experiment.projectId)
})

test('a copy has the same recipients but former members, and webhooks with secrets of their own', async () => {
  const { product, id, experiment, choose, aMember } = await aDraft()
  const [cleo, dan] = [await aMember({ name: 'Cleo' }), await aMember({ name: 'Dan' })]
  const members = [cleo, dan].map((member) => ({ by: 'member', member: member.id }))
  const { recipients } = requireDone(await choose([...members, webhook])).experiment
  requireDone(await product.projects.members.remove(id, dan.id, ana))
  requireDone(await product.experiments.change(id, experiment.id, { name: 'Shortest checkout' }, ana))
  const copy = requireDone(await product.experiments.duplicate(id, experiment.id, ana)).experiment
  expect(copy.recipients).toEqual([
    { by: 'member', member: cleo.id },
    { ...webhook, secret: expect.stringMatching(/^whsec_/) },
  ])
  expect(copy.recipients[1]).not.toEqual(recipients[2])
})
