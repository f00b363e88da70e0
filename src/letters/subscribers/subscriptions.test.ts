import { expect, test } from 'vitest'
import type { EmailMessage, MailResult } from '#outbound/mailer'
import { personIdOf } from '#persons/person'
import { openTestProduct, present, problemMessages, requireDone } from '#test/fixture'
import { aLetterStage, type LetterStage, tokenIn, viewer } from '#test/letters'
import { preferredLanguage } from '../words'
import { eraseSubscriptions } from './store'
import { addressesInTable } from './subscriptions'

const aStage = async (options: { canMail?: boolean; answer?: (message: EmailMessage) => MailResult } = {}) =>
  await aLetterStage(await openTestProduct(), options)

const signUp = ({ subscriptions, projectId }: LetterStage, email: string, more: object = {}) =>
  subscriptions.signUp({
    projectId,
    list: 'newsletter',
    email,
    language: undefined,
    distinctId: email,
    ...more,
  })

const states = async ({ subscriptions, projectId }: LetterStage) =>
  requireDone(await subscriptions.subscribers(projectId, 'newsletter', {}, viewer)).subscribers.map(
    ({ address, state }) => [address, state],
  )

test('an address is subscribed once its owner presses the button, and a link works once', async () => {
  const stage = await aStage()
  const { subscriptions, confirmations, sent, events } = stage
  await signUp(stage, 'Ana@Example.com ', { language: 'de' })
  await confirmations.run()
  await confirmations.run()
  expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
    ['ana@example.com', 'Anmeldung bestätigen: Newsletter'],
  ])
  const token = tokenIn(present(sent[0]).text, 'confirm')

  expect(await subscriptions.awaiting(token)).toMatchObject({ state: 'pending' })
  expect(await states(stage)).toEqual([['ana@example.com', 'pending']])
  expect(await subscriptions.confirm(token)).toMatchObject({ state: 'confirmed' })
  expect(await subscriptions.confirm(token)).toBeUndefined()
  expect(await subscriptions.awaiting(token)).toBeUndefined()
  expect(events).toMatchObject([{ name: '$letter_subscribed', distinctId: 'Ana@Example.com ' }])
})

test('a link to confirm expires, and the address is forgotten', async () => {
  const stage = await aStage()
  await signUp(stage, 'ana@example.com')
  await stage.confirmations.run()
  stage.world.advance('7 days')
  const token = tokenIn(present(stage.sent[0]).text, 'confirm')
  expect(await stage.subscriptions.confirm(token)).toBeUndefined()
  stage.world.advance('24 days')
  await stage.confirmations.run()
  expect(await states(stage)).toEqual([])
})

test('an address is asked once a day, whatever its state, and a confirmed one never', async () => {
  const stage = await aStage()
  const { confirmations, sent, subscriptions } = stage
  for (let time = 0; time < 3; time++) {
    await signUp(stage, 'ana@example.com')
    await confirmations.run()
  }
  expect(sent).toHaveLength(1)
  stage.world.advance('25 hours')
  await signUp(stage, 'ana@example.com')
  await confirmations.run()
  expect(sent).toHaveLength(2)
  await subscriptions.confirm(tokenIn(present(sent[1]).text, 'confirm'))
  stage.world.advance('2 days')
  await signUp(stage, 'ana@example.com')
  await confirmations.run()
  expect(sent).toHaveLength(2)
})

test('while the mail server does not answer, no further confirmation is tried', async () => {
  let calls = 0
  const away: MailResult = { posted: false, isFinal: false, why: 'Away.', isUnreachable: true }
  const stage = await aStage({ answer: () => (calls++, away) })
  for (const name of ['ana', 'ben', 'zoe']) await signUp(stage, `${name}@example.com`)
  await stage.confirmations.run()
  expect(calls).toBe(1)
})

test('the confirmations of one project do not wait for those of another', async () => {
  const stage = await aStage()
  for (let n = 0; n < 60; n++) await signUp(stage, `p${n}@example.com`)
  stage.world.advance('1 second')
  const { project } = requireDone(await stage.product.projects.create({ name: 'Other' }, viewer))
  requireDone(
    await stage.product.posts.sites.change(project.id, { address: 'https://other.example' }, viewer),
  )
  const settings = { postalAddress: 'Other, 2 Main Street, Springfield' }
  requireDone(await stage.subscriptions.changeSettings(project.id, settings, viewer))
  await signUp({ ...stage, projectId: project.id }, 'zoe@example.com')
  await stage.confirmations.run()
  expect(stage.sent.map(({ to }) => to)).toContain('zoe@example.com')
})

test('a confirmation that the mail server puts off is sent later, with another link', async () => {
  const answers: MailResult[] = [{ posted: false, isFinal: false, why: 'Later (451).' }]
  const stage = await aStage({ answer: () => answers.shift() ?? { posted: true } })
  await signUp(stage, 'ana@example.com')
  await stage.confirmations.run()
  expect(stage.sent).toEqual([])
  stage.world.advance('31 seconds')
  await stage.confirmations.run()
  const token = tokenIn(present(stage.sent[0]).text, 'confirm')
  expect(await stage.subscriptions.confirm(token)).toMatchObject({ state: 'confirmed' })
})

test.each([
  ['without a mail server', { canMail: false }, {}],
  ['of a form that is no list', {}, { list: 'waiting list' }],
])('a form %s subscribes no one', async (_, options, more) => {
  const stage = await aStage(options)
  await signUp(stage, 'ana@example.com', more)
  expect(await states(stage)).toEqual([])
})

test('a closed list takes no sign-ups', async () => {
  const stage = await aStage()
  const { subscriptions, projectId } = stage
  requireDone(await subscriptions.changeList(projectId, 'newsletter', { isOpen: false }, viewer))
  await signUp(stage, 'ana@example.com')
  expect(await states(stage)).toEqual([])
})

test('an import confirms addresses, and does not subscribe those again that left', async () => {
  const stage = await aStage()
  const { subscriptions } = stage
  const csv = 'email,name\nana@example.com,Ana\n"ben@example.com",Ben\nnot an address,Eve\n'
  expect(await stage.subscribe(csv)).toMatchObject({ added: 2, unreadable: ['not an address,Eve'] })
  const [first] = requireDone(
    await subscriptions.subscribers(stage.projectId, 'newsletter', { search: 'ana' }, viewer),
  ).subscribers
  await subscriptions.end(present(first).id, 'unsubscribed')
  expect(await stage.subscribe('ana@example.com', 'ben@example.com')).toMatchObject({
    added: 0,
    known: 1,
    left: 1,
  })
  expect(await states(stage)).toContainEqual([undefined, 'unsubscribed'])
  const { rows } = requireDone(await subscriptions.exportList(stage.projectId, 'newsletter', viewer))
  expect(rows.slice(1).map(([address, state]) => [address, state])).toEqual([
    ['ben@example.com', 'confirmed'],
  ])
})

test('an import says how the addresses agreed', async () => {
  const { subscriptions, projectId } = await aStage()
  const input = { addresses: 'ana@example.com', consent: 'Yes' }
  expect(
    problemMessages(await subscriptions.importAddresses(projectId, 'newsletter', input, viewer)),
  ).toEqual(['Say how these addresses agreed to get e-mails, in at least 10 characters.'])
})

test('the address of an erased person is gone, and an import does not subscribe it again', async () => {
  const stage = await aStage()
  await signUp(stage, 'ana@example.com', { distinctId: 'ana' })
  await eraseSubscriptions(stage.store, stage.projectId, [personIdOf(stage.projectId, 'ana')])
  expect(await states(stage)).toEqual([[undefined, 'erased']])
  expect(await stage.subscribe('ana@example.com')).toMatchObject({ added: 0, left: 1 })
})

test('lists are counted by state', async () => {
  const stage = await aStage()
  requireDone(
    await stage.subscriptions.createList(stage.projectId, { key: 'weekly', name: 'Weekly' }, viewer),
  )
  await stage.subscribe('ana@example.com')
  await signUp(stage, 'ben@example.com')
  expect(await stage.subscriptions.lists(stage.projectId, viewer)).toMatchObject([
    { key: 'newsletter', isOpen: true, counts: { confirmed: 1, pending: 1, bounced: 0 } },
    { key: 'weekly', name: 'Weekly', counts: { confirmed: 0 } },
  ])
})

test.each([
  ['de-CH,de;q=0.9,en;q=0.8', 'de'],
  ['xx,fr;q=0.5,en;q=0.7', 'en'],
  ['xx', undefined],
  ['de;q=0', undefined],
  [undefined, undefined],
])('of "%s" the language of a letter is %s', (header, language) =>
  expect(preferredLanguage(header)).toBe(language),
)

test('a pasted table is read by its addresses', () =>
  expect(
    addressesInTable('Name;E-mail\nAna;ANA@example.com\nBen <ben@example.com>\nana@example.com\neve@'),
  ).toEqual({
    addresses: ['ana@example.com', 'ben@example.com'],
    unreadable: ['eve@'],
  }))
