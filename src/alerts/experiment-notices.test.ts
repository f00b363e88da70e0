import { expect, test } from 'vitest'
import { aProjectWithStore, memberHelpers, present, requireDone } from '#test/product/fixture'
import { recipientsOfExperiment } from '#experiments/recipients-of-experiment'
import { operator } from '#projects/access'
import { outgoingMessagesAbout } from './deliveries/store'
import { experimentNotices } from './experiment-notices'
import { letterFor } from './letters/internal/letter'
import { webhookBody } from './internal/webhook-body'

const ana = operator('Ana')
const sentence = 'Ship “short”: Orders +12% (95% interval +4.0% to +21%).'

async function setUp({ canMail = true } = {}) {
  const { world, store, product, id } = await aProjectWithStore()
  const variants = ['control', 'short'].map((key) => ({ key, percentage: 50 }))
  requireDone(await product.flags.create(id, { key: 'checkout', kind: 'variants', variants }, ana))
  const input = { name: 'Shorter checkout', flag: 'checkout' }
  const { experiment } = requireDone(await product.experiments.create(id, input, ana))
  const notify = experimentNotices({ world, projects: product.projects, canMail: () => canMail })
  return {
    product,
    store,
    id,
    experiment,
    told: async () => {
      const notice = { kind: 'decided', about: 'ship short', sentence } as const
      const recipients = [...(await recipientsOfExperiment(store, id, experiment.id))]
      await store.transaction((transaction) => notify(transaction, { ...experiment, recipients }, notice))
      return await outgoingMessagesAbout(store, 'experiments', 10)
    },
  }
}

test('a webhook of the alerts is told, as programs and chats read it, and no address outside', async () => {
  const { product, id, experiment, told } = await setUp()
  const webhook = { by: 'webhook', url: 'https://hooks.example.com/tilth' }
  const alert = {
    name: 'Orders',
    watched: { type: 'event', event: 'ordered' },
    condition: { type: 'absence', minutes: 60 },
    recipients: [webhook, { by: 'mail', address: 'client@example.com' }],
  }
  requireDone(await product.alerts.create(id, alert, ana))
  const [notice, ...others] = await told()
  expect(others).toEqual([])
  const { recipient, message } = present(notice)
  expect(recipient).toMatchObject(webhook)
  const url = `https://tilth.example/studio/acme/experiments/${experiment.id}`
  expect(JSON.parse(webhookBody(message, 'https://tilth.example'))).toEqual({
    type: 'experiment.decided',
    timestamp: expect.any(String),
    text: `Decided: Shorter checkout. ${sentence} ${url}`,
    experiment: { id: experiment.id, name: 'Shorter checkout', flag: 'checkout', sentence, url },
    project: { slug: 'acme', name: 'Acme' },
  })
})

test('while a project has no alerts its owners are told by e-mail, if there is a mail server', async () => {
  const { product, experiment, told } = await setUp()
  const { aMember } = memberHelpers(product)
  const owner = await aMember({ role: 'owner' })
  await aMember({ role: 'editor', name: 'Ben' })
  const [notice, ...others] = await told()
  expect(others).toEqual([])
  const { recipient, message } = present(notice)
  expect(recipient).toEqual({ by: 'member', member: owner.id })
  const letter = letterFor(message, {
    origin: 'https://tilth.example',
    link: 'https://tilth.example/no-more',
  })
  expect(letter.subject).toBe('Decided: Shorter checkout (Acme)')
  expect(letter.text).toContain(sentence)
  expect(letter.text).toContain(`https://tilth.example/studio/acme/experiments/${experiment.id}`)
  expect(letter.unsubscribe).toBe('https://tilth.example/no-more')

  const silent = await setUp({ canMail: false })
  await memberHelpers(silent.product).aMember({ role: 'owner' })
  expect(await silent.told()).toEqual([])
})

test('the recipients of an experiment are told in place of those of the alerts', async () => {
  const { product, id, experiment, told } = await setUp()
  await memberHelpers(product).aMember({ role: 'owner' })
  const webhook = { by: 'webhook', url: 'https://chat.example.com/experiments' }
  const recipients = [webhook, { by: 'mail', address: 'client@example.com' }]
  requireDone(await product.experiments.change(id, experiment.id, { recipients }, ana))
  expect((await told()).map(({ recipient }) => recipient)).toEqual(
    expect.arrayContaining(recipients.map((recipient) => expect.objectContaining(recipient))),
  )
  requireDone(await product.experiments.change(id, experiment.id, { recipients: [] }, ana))
  const earlier = recipients.length
  const all = await told()
  expect(all).toHaveLength(earlier + 1)
  expect(all.some(({ recipient }) => recipient.by === 'member')).toBe(true)
})
