import { expect, test } from 'vitest'
import type { EmailMessage, MailResult } from '#outbound/mailer'
import { personIdOf } from '#persons/person'
import { openTestProduct, present, problemMessages, requireDone } from '#test/product/fixture'
import { openLetterFixture, type LetterFixture, tokenIn, viewer } from '#test/outside/letters'
import { preferredLanguage } from '../words'
import { eraseSubscriptions } from './store'
import { addressesInTable } from './subscriptions'

const aLetterFixture = async (
  options: { canMail?: boolean; answer?: (message: EmailMessage) => MailResult } = {},
) => await openLetterFixture(await openTestProduct(), options)

const signUp = ({ subscriptions, projectId }: LetterFixture, email: string, more: object = {}) =>
  subscriptions.signUp({
    projectId,
    list: 'newsletter',
    email,
    language: undefined,
    distinctId: email,
    ...more,
  })

const states = async ({ subscriptions, projectId }: LetterFixture) =>
  requireDone(await subscriptions.subscribers(projectId, 'newsletter', {}, viewer)).subscribers.map(
    ({ address, state }) => [address, state],
  )

test('an address is subscribed once its owner presses the button, and a link works once', async () => {
  const fixture = await aLetterFixture()
  const { subscriptions, confirmations, sent, events } = fixture
  expect(await signUp(fixture, 'Ana@Example.com ', { language: 'de' })).toBe(true)
  await confirmations.run()
  await confirmations.run()
  expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
    ['ana@example.com', 'Anmeldung bestätigen: Newsletter'],
  ])
  const token = tokenIn(present(sent[0]).text, 'confirm')

  expect(await subscriptions.awaiting(token)).toMatchObject({ state: 'pending' })
  expect(await states(fixture)).toEqual([['ana@example.com', 'pending']])
  expect(await subscriptions.confirm(token)).toMatchObject({ state: 'confirmed' })
  expect(await subscriptions.confirm(token)).toBeUndefined()
  expect(await subscriptions.awaiting(token)).toBeUndefined()
  expect(events).toMatchObject([{ name: '$letter_subscribed', distinctId: 'Ana@Example.com ' }])
})

test('a link to confirm expires, and the address is forgotten', async () => {
  const fixture = await aLetterFixture()
  await signUp(fixture, 'ana@example.com')
  await fixture.confirmations.run()
  fixture.world.advance('7 days')
  const token = tokenIn(present(fixture.sent[0]).text, 'confirm')
  expect(await fixture.subscriptions.confirm(token)).toBeUndefined()
  fixture.world.advance('24 days')
  await fixture.confirmations.run()
  expect(await states(fixture)).toEqual([])
})

test('an address is asked once a day, whatever its state, and a confirmed one never', async () => {
  const fixture = await aLetterFixture()
  const { confirmations, sent, subscriptions } = fixture
  for (let time = 0; time < 3; time++) {
    await signUp(fixture, 'ana@example.com')
    await confirmations.run()
  }
  expect(sent).toHaveLength(1)
  fixture.world.advance('25 hours')
  await signUp(fixture, 'ana@example.com')
  await confirmations.run()
  expect(sent).toHaveLength(2)
  await subscriptions.confirm(tokenIn(present(sent[1]).text, 'confirm'))
  fixture.world.advance('2 days')
  await signUp(fixture, 'ana@example.com')
  await confirmations.run()
  expect(sent).toHaveLength(2)
})

test('while the mail server does not answer, no further confirmation is tried', async () => {
  let calls = 0
  const away: MailResult = { posted: false, isFinal: false, why: 'Away.', isUnreachable: true }
  const fixture = await aLetterFixture({ answer: () => (calls++, away) })
  for (const name of ['ana', 'ben', 'zoe']) await signUp(fixture, `${name}@example.com`)
  await fixture.confirmations.run()
  expect(calls).toBe(1)
})

test('the confirmations of one project do not wait for those of another', async () => {
  const fixture = await aLetterFixture()
  for (let n = 0; n < 60; n++) await signUp(fixture, `p${n}@example.com`)
  fixture.world.advance('1 second')
  const { project } = requireDone(await fixture.product.projects.create({ name: 'Other' }, viewer))
  requireDone(
    await fixture.product.posts.sites.change(project.id, { address: 'https://other.example' }, viewer),
  )
  const settings = { postalAddress: 'Other, 2 Main Street, Springfield' }
  requireDone(await fixture.subscriptions.changeSettings(project.id, settings, viewer))
  await signUp({ ...fixture, projectId: project.id }, 'zoe@example.com')
  await fixture.confirmations.run()
  expect(fixture.sent.map(({ to }) => to)).toContain('zoe@example.com')
})

test('a confirmation that the mail server puts off is sent later, with another link', async () => {
  const answers: MailResult[] = [{ posted: false, isFinal: false, why: 'Later (451).' }]
  const fixture = await aLetterFixture({ answer: () => answers.shift() ?? { posted: true } })
  await signUp(fixture, 'ana@example.com')
  await fixture.confirmations.run()
  expect(fixture.sent).toEqual([])
  fixture.world.advance('31 seconds')
  await fixture.confirmations.run()
  const token = tokenIn(present(fixture.sent[0]).text, 'confirm')
  expect(await fixture.subscriptions.confirm(token)).toMatchObject({ state: 'confirmed' })
})

test.each([
  ['without a mail server', { canMail: false }, {}],
  ['of a form that is no list', {}, { list: 'waiting list' }],
])('a form %s subscribes no one', async (_, options, more) => {
  const fixture = await aLetterFixture(options)
  expect(await signUp(fixture, 'ana@example.com', more)).toBe(false)
  expect(await states(fixture)).toEqual([])
})

test('a closed list takes no sign-ups', async () => {
  const fixture = await aLetterFixture()
  const { subscriptions, projectId } = fixture
  requireDone(await subscriptions.changeList(projectId, 'newsletter', { isOpen: false }, viewer))
  await signUp(fixture, 'ana@example.com')
  expect(await states(fixture)).toEqual([])
})

test('an import confirms addresses, and does not subscribe those again that left', async () => {
  const fixture = await aLetterFixture()
  const { subscriptions } = fixture
  const csv = 'email,name\nana@example.com,Ana\n"ben@example.com",Ben\nnot an address,Eve\n'
  expect(await fixture.subscribe(csv)).toMatchObject({ added: 2, unreadable: ['not an address,Eve'] })
  const [first] = requireDone(
    await subscriptions.subscribers(fixture.projectId, 'newsletter', { search: 'ana' }, viewer),
  ).subscribers
  await subscriptions.end(present(first).id, 'unsubscribed')
  expect(await fixture.subscribe('ana@example.com', 'ben@example.com')).toMatchObject({
    added: 0,
    known: 1,
    left: 1,
  })
  expect(await states(fixture)).toContainEqual([undefined, 'unsubscribed'])
  const { rows } = requireDone(await subscriptions.exportList(fixture.projectId, 'newsletter', viewer))
  expect(rows.slice(1).map(([address, state]) => [address, state])).toEqual([
    ['ben@example.com', 'confirmed'],
  ])
})

test('an import says how the addresses agreed', async () => {
  const { subscriptions, projectId } = await aLetterFixture()
  const input = { addresses: 'ana@example.com', consent: 'Yes' }
  expect(
    problemMessages(await subscriptions.importAddresses(projectId, 'newsletter', input, viewer)),
  ).toEqual(['Say how these addresses agreed to get e-mails, in at least 10 characters.'])
})

test('the address of an erased person is gone, and an import does not subscribe it again', async () => {
  const fixture = await aLetterFixture()
  await signUp(fixture, 'ana@example.com', { distinctId: 'ana' })
  await eraseSubscriptions(fixture.store, fixture.projectId, [personIdOf(fixture.projectId, 'ana')])
  expect(await states(fixture)).toEqual([[undefined, 'erased']])
  expect(await fixture.subscribe('ana@example.com')).toMatchObject({ added: 0, left: 1 })
})

test('lists are counted by state', async () => {
  const fixture = await aLetterFixture()
  requireDone(
    await fixture.subscriptions.createList(fixture.projectId, { key: 'weekly', name: 'Weekly' }, viewer),
  )
  await fixture.subscribe('ana@example.com')
  await signUp(fixture, 'ben@example.com')
  expect(await fixture.subscriptions.lists(fixture.projectId, viewer)).toMatchObject([
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
