import { expect, test } from 'vitest'
import type { EmailMessage, MailResult } from '#outbound/mailer'
import { openTestProduct, present, problemMessages, requireDone } from '#test/product/fixture'
import { openLetterFixture, tokenIn, viewer } from '#test/outside/letters'

const refused: MailResult = { posted: false, isFinal: true, why: 'Refused (550).', isRecipient: true }
const later: MailResult = { posted: false, isFinal: false, why: 'Later (451).' }
const away: MailResult = { posted: false, isFinal: false, why: 'Away.', isUnreachable: true }

const aLetterFixture = async (options: Parameters<typeof openLetterFixture>[1] = {}) =>
  await openLetterFixture(await openTestProduct(), options)

const many = (count: number) => Array.from({ length: count }, (_, index) => `p${index}@example.com`)

test('letters keep to the pace of their project', async () => {
  const fixture = await aLetterFixture()
  requireDone(await fixture.subscriptions.changeSettings(fixture.projectId, { perMinute: 3 }, viewer))
  await fixture.subscribe(...many(5))
  await fixture.order()
  await fixture.sender.run()
  await fixture.sender.run()
  expect(fixture.sent).toHaveLength(3)
  fixture.world.advance('61 seconds')
  await fixture.sender.run()
  expect(new Set(fixture.sent.map(({ to }) => to)).size).toBe(5)
})

test('letters take turns: a long one is not sent to its end before another begins', async () => {
  const fixture = await aLetterFixture()
  await fixture.subscribe(...many(30))
  await fixture.order({ subjects: ['Long'] })
  fixture.world.advance('1 second')
  await fixture.order({ subjects: ['Other'] })
  await fixture.sender.run()
  expect(fixture.sent).toHaveLength(60)
  const subjects = fixture.sent.map(({ subject }) => subject)
  expect(subjects.indexOf('Other')).toBeLessThan(subjects.lastIndexOf('Long'))
})

test('a letter that is put off is tried again; a refused recipient gets no further letter', async () => {
  const answers = new Map([
    ['later@example.com', [later]],
    ['gone@example.com', [refused, refused]],
  ])
  const fixture = await aLetterFixture({ answer: ({ to }) => answers.get(to)?.shift() ?? { posted: true } })
  await fixture.subscribe('later@example.com', 'gone@example.com')
  const { id } = await fixture.order()
  await fixture.sender.run()
  expect(fixture.sent).toEqual([])
  fixture.world.advance('31 seconds')
  await fixture.sender.run()
  expect(fixture.sent.map(({ to }) => to)).toEqual(['later@example.com'])
  const { letter, troubles } = await fixture.report(id)
  expect(letter).toMatchObject({ state: 'sent', figures: { delivered: 1, bounced: 1 } })
  expect(troubles).toMatchObject([{ state: 'bounced', address: 'gone@example.com' }])
  expect(fixture.events.map(({ name }) => name).toSorted()).toEqual(['$letter_bounced', '$letter_delivered'])
  await fixture.order()
  await fixture.sender.run()
  expect(answers.get('gone@example.com')).toHaveLength(1)
})

test('a refusal that is not about the recipient ends no subscription', async () => {
  const fixture = await aLetterFixture({
    answer: () => ({ posted: false, isFinal: true, why: 'No relaying (554).' }),
  })
  await fixture.subscribe('ana@example.com')
  const { id } = await fixture.order()
  await fixture.sender.run()
  expect((await fixture.report(id)).letter.figures).toMatchObject({ failed: 1, bounced: 0 })
  const [list] = await fixture.subscriptions.lists(fixture.projectId, viewer)
  expect(present(list).counts).toMatchObject({ confirmed: 1 })
})

test('while the mail server does not answer, no further letter is tried', async () => {
  let [calls, isAway] = [0, true]
  const fixture = await aLetterFixture({ answer: () => (calls++, isAway ? away : { posted: true }) })
  await fixture.subscribe(...many(4))
  await fixture.order()
  await fixture.sender.run()
  expect(calls).toBe(1)
  isAway = false
  fixture.world.advance('31 seconds')
  await fixture.sender.run()
  expect(fixture.sent).toHaveLength(4)
})

test('a connection that broke while sending leaves a letter uncertain, and it is not sent again', async () => {
  const broken: MailResult = { ...away, isUncertain: true }
  const answers = [broken]
  const fixture = await aLetterFixture({ answer: () => answers.shift() ?? { posted: true } })
  await fixture.subscribe('ana@example.com')
  const { id } = await fixture.order()
  await fixture.sender.run()
  fixture.world.advance('2 days')
  await fixture.sender.run()
  expect(fixture.sent).toEqual([])
  expect((await fixture.report(id)).letter).toMatchObject({ state: 'sent', figures: { uncertain: 1 } })
})

test('a scheduled letter goes to those who are subscribed then, as the post was when it was ordered', async () => {
  const fixture = await aLetterFixture()
  await fixture.subscribe('ana@example.com')
  const at = new Date(fixture.world.now().getTime() + 3_600_000).toISOString()
  await fixture.order({ at })
  await fixture.sender.run()
  expect(fixture.sent).toEqual([])
  await fixture.subscribe('ben@example.com')
  requireDone(
    await fixture.product.posts.change(fixture.projectId, fixture.post.id, { title: 'Changed' }, viewer),
  )
  fixture.world.advance('1 hour')
  await fixture.sender.run()
  expect(fixture.sent.map(({ to }) => to).toSorted()).toEqual(['ana@example.com', 'ben@example.com'])
  expect(present(fixture.sent[0]).html).toContain(
    '<h1 style="margin:0 0 8px;font-size:26px;line-height:34px">Hello</h1>',
  )
})

test('a letter has the published text, without changes that readers do not see yet', async () => {
  const fixture = await aLetterFixture()
  await fixture.subscribe('ana@example.com')
  const change = { title: 'Not yet', body: 'Later', keepUnpublished: true }
  requireDone(await fixture.product.posts.change(fixture.projectId, fixture.post.id, change, viewer))
  await fixture.order()
  await fixture.sender.run()
  const { html, subject } = present(fixture.sent[0])
  expect(`${subject} ${html}`).toContain('Hello')
  expect(`${subject} ${html}`).not.toMatch(/Not yet|Later/)
})

test('while the site is off, its letters wait', async () => {
  const fixture = await aLetterFixture()
  await fixture.subscribe('ana@example.com')
  await fixture.order()
  requireDone(await fixture.product.posts.sites.change(fixture.projectId, { isOn: false }, viewer))
  await fixture.sender.run()
  expect(fixture.sent).toEqual([])
  requireDone(await fixture.product.posts.sites.change(fixture.projectId, { isOn: true }, viewer))
  await fixture.sender.run()
  expect(fixture.sent).toHaveLength(1)
})

test('a cohort narrows the list to its persons, by address or by id', async () => {
  const fixture = await aLetterFixture({ persons: [{ distinctId: 'x', email: 'Ana@example.com' }] })
  await fixture.subscribe('ana@example.com', 'ben@example.com')
  await fixture.order({ cohort: 'buyers' })
  await fixture.sender.run()
  expect(fixture.sent.map(({ to }) => to)).toEqual(['ana@example.com'])
})

test('subject lines are tried on a share; the rest gets the one that is clicked most', async () => {
  const fixture = await aLetterFixture()
  const { sender, sent, replies, links } = fixture
  await fixture.subscribe(...many(20))
  const { id } = await fixture.order({ subjects: ['Plain', 'Better'], share: 0.4, hours: 2 })
  await sender.run()
  const subjects = (all: readonly EmailMessage[]) => all.map(({ subject }) => subject).toSorted()
  expect(subjects(sent)).toEqual([...Array(4).fill('Better'), ...Array(4).fill('Plain')])
  for (const { text } of sent.filter(({ subject }) => subject === 'Better')) {
    const click = links.read(tokenIn(text, 'click'))
    if (click?.do !== 'click') throw new Error('This is no link to click.')
    const envelope = { ...clickEnvelope, receivedAt: fixture.world.now() }
    await replies.click(click, (projectId) => ({ ...envelope, projectId }))
  }
  fixture.world.advance('1 hour')
  await sender.run()
  expect(sent).toHaveLength(8)
  fixture.world.advance('1 hour')
  await sender.run()
  expect(subjects(sent.slice(8))).toEqual(Array(12).fill('Better'))
  const { letter } = await fixture.report(id)
  expect(letter.trial).toMatchObject({ winner: 'b' })
  expect(present(letter.trial?.chances)['b']).toBeGreaterThan(0.95)
  expect(letter.variants).toMatchObject([
    { variant: 'a', delivered: 4, clicked: 0 },
    { variant: 'b', delivered: 16, clicked: 4 },
  ])
})

const clickEnvelope = {
  dialect: 'site',
  sentAt: undefined,
  address: '203.0.113.7',
  userAgent: 'Firefox',
  language: undefined,
  optedOut: false,
  fromServer: false,
  isHistorical: false,
}

test.each<[string, object, string]>([
  ['a post that is no post', { post: '99' }, 'There is no such post.'],
  ['a list that is no list', { list: 'weekly' }, 'There is no such list.'],
  ['no subscribers', {}, 'No one on this list has confirmed yet.'],
  ['the same subject twice', { subjects: ['A', 'A'] }, 'Two subjects are the same.'],
])('an order of %s is refused', async (_, more, message) => {
  const fixture = await aLetterFixture()
  const order = { post: fixture.post.id, subjects: ['Hello'], ...more }
  expect(problemMessages(await fixture.letters.send(fixture.projectId, order, viewer))).toEqual([message])
})

test('an order without a postal address says where to add one', async () => {
  const fixture = await aLetterFixture()
  await fixture.subscribe('ana@example.com')
  requireDone(await fixture.subscriptions.changeSettings(fixture.projectId, { postalAddress: '' }, viewer))
  const order = { post: fixture.post.id, subjects: ['Hello'] }
  expect(problemMessages(await fixture.letters.send(fixture.projectId, order, viewer))).toEqual([
    'Add a postal address first: Site → Newsletter → Settings.',
  ])
})

const notice = (to: string, status: string, action = 'failed') => `From: mailer-daemon@mx.example
To: ${to}
Content-Type: multipart/report; report-type=delivery-status;
 boundary="b"

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

Final-Recipient: rfc822; ana@example.com
Action: ${action}
Status: ${status}
--b--
`

test.each([
  ['a mailbox that does not exist', '5.1.1', 'failed', 'bounced', 'bounce'],
  ['a full mailbox', '5.2.2', 'failed', 'confirmed', 'delayed'],
  ['a delay', '4.4.1', 'delayed', 'confirmed', 'delayed'],
])(
  'a letter that is returned for %s changes what is known of its subscriber',
  async (_, status, action, state, kind) => {
    const fixture = await aLetterFixture()
    requireDone(
      await fixture.subscriptions.changeSettings(
        fixture.projectId,
        { bounceAddress: 'bounces@acme.example' },
        viewer,
      ),
    )
    await fixture.subscribe('ana@example.com')
    await fixture.order()
    await fixture.sender.run()
    const returnPath = present(fixture.sent[0]?.returnPath)
    expect(returnPath).toMatch(/^bounces\+[\da-f]{32}-[\da-f]{16}@acme\.example$/)
    const message = notice(returnPath.toUpperCase(), status, action)
    expect(await fixture.replies.projectOfBounce(message)).toBe(fixture.projectId)
    expect(await fixture.replies.takeBounce(fixture.projectId, { message }, viewer)).toMatchObject({
      done: true,
      kind,
    })
    const { subscribers } = requireDone(
      await fixture.subscriptions.subscribers(fixture.projectId, 'newsletter', {}, viewer),
    )
    expect(subscribers).toMatchObject([{ state }])
  },
)

test('a report of abuse ends the subscription, and a forged return path ends none', async () => {
  const fixture = await aLetterFixture()
  requireDone(
    await fixture.subscriptions.changeSettings(
      fixture.projectId,
      { bounceAddress: 'bounces@acme.example' },
      viewer,
    ),
  )
  await fixture.subscribe('ana@example.com')
  await fixture.order()
  await fixture.sender.run()
  const returnPath = present(fixture.sent[0]?.returnPath)
  const forged = notice(returnPath.replace(/-[\da-f]{16}@/, '-0123456789abcdef@'), '5.1.1')
  expect(
    problemMessages(await fixture.replies.takeBounce(fixture.projectId, { message: forged }, viewer)),
  ).toEqual(['The message names no letter of this project.'])
  const reply = `To: ${returnPath}\nSubject: Out of office\n\nBack on Monday.`
  expect(
    problemMessages(await fixture.replies.takeBounce(fixture.projectId, { message: reply }, viewer)),
  ).toEqual(['This is not a delivery status notification.'])
  const abuse = `To: ${returnPath}\nContent-Type: message/feedback-report\n\nFeedback-Type: abuse\n`
  requireDone(await fixture.replies.takeBounce(fixture.projectId, { message: abuse }, viewer))
  const [list] = await fixture.subscriptions.lists(fixture.projectId, viewer)
  expect(present(list).counts).toMatchObject({ complained: 1, confirmed: 0 })
})
