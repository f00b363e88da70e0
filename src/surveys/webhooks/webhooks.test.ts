import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { outgoingMessagesAbout } from '#alerts/deliveries/store'
import { Deliveries, type OutgoingMessage } from '#alerts/deliveries/deliveries'
import { LetterLinks } from '#alerts/letter-links'
import { emptyAllowlist, parseAllowlist } from '#outbound/allowlist'
import { Outbound } from '#outbound/outbound'
import { signatureHeaders } from '#outbound/signature'
import { operator } from '#projects/access'
import { openStore } from '#store/open'
import { openTestProduct, present, memberHelpers, problemMessages, requireDone } from '#test/product/fixture'
import type { AnswerEventRow } from './internal/answer-message'
import { SurveyWebhooks } from './survey-webhooks'
import { DeliveryQueue } from './internal/delivery-queue'

const viewer = operator('Ana')
const content = {
  questions: [
    { id: 'score', kind: 'rating', text: 'How likely?', display: 'number', scale: 10 },
    { id: 'why', kind: 'open', text: 'Why?' },
  ],
}

interface ReceivedWebhook {
  headers: IncomingMessage['headers']
  body: string
}

/** A server that answers with the status of the moment. */
async function aReceiver() {
  const received: ReceivedWebhook[] = []
  const receiver = { status: 204, received, url: '' }
  const hear = async (request: IncomingMessage) =>
    received.push({ headers: request.headers, body: await text(request) })
  const server = createServer((request, response) => {
    void hear(request).then(() => response.writeHead(receiver.status).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // a server that listens on a port has an address of this form
  const { port } = server.address() as AddressInfo
  receiver.url = `http://127.0.0.1:${port}/hook`
  return receiver
}

async function aWatchedSurvey({ allow = '127.0.0.0/8' } = {}) {
  const receiver = await aReceiver()
  const { product, world, folder, database, aProject } = await openTestProduct()
  const { id: projectId } = await aProject()
  const created = await product.surveys.create(projectId, { name: 'Score', content }, viewer)
  const { id: surveyId } = requireDone(created).survey
  const store = await openStore({ folder, url: undefined })
  const dependencies = {
    store,
    world,
    projects: product.projects,
    published: product.surveys.published,
    outbound: new Outbound({ allowlist: present(parseAllowlist(allow)) }),
    seal: { close: (secret: string) => `sealed ${secret}`, open: (sealed: string) => sealed.slice(7) },
    address: 'https://tilth.example',
    mayMail: () => true,
    onTrouble: () => {},
  }
  const queues: DeliveryQueue[] = []
  /** Opens the queue as a process does when it begins. */
  const aQueue = async (more: { mayMail?: () => boolean; mostWaiting?: number } = {}) => {
    const queue = await DeliveryQueue.open({ ...dependencies, ...more })
    queues.push(queue)
    return queue
  }
  onTestFinished(async () => {
    for (const queue of queues) await queue.close()
    await store.close()
  })
  const webhooks = new SurveyWebhooks(dependencies)
  const { secret } = requireDone(await webhooks.set(projectId, surveyId, { url: receiver.url }, viewer))

  const event = (submission: string, answers: object, isComplete: boolean): AnswerEventRow => ({
    projectId,
    uuid: `uuid of ${submission}`,
    at: world.now(),
    distinctId: 'ana',
    isCookieless: false,
    columns: { traffic: 'human' },
    properties: {
      $survey_id: surveyId,
      $survey_submission_id: submission,
      $survey_completed: String(isComplete),
      $survey_questions: JSON.stringify(
        Object.entries(answers).map(([id, response]) => ({ id, question: `${id}?`, response })),
      ),
    },
  })
  const bodies = () => receiver.received.map(({ body }) => JSON.parse(body))
  const notify = async (recipients: readonly object[]) =>
    requireDone(await product.surveys.change(projectId, surveyId, { notify: recipients }, viewer))
  /** The e-mails about responses, by submission. */
  const letters = async () => {
    const found = await outgoingMessagesAbout(store, `survey ${projectId} ${surveyId}`, 50)
    return found.toSorted((one, other) => pathOf(one).localeCompare(pathOf(other)))
  }
  const pathOf = ({ message }: OutgoingMessage) => (message.kind === 'response' ? message.path : '')
  const made = { product, projectId, surveyId, store, world, database }
  return { ...made, receiver, webhooks, secret, aQueue, event, bodies, notify, letters }
}

test('a complete submission is sent once, signed, and its content is forgotten', async () => {
  const { receiver, world, secret, aQueue, event, bodies, database } = await aWatchedSurvey()
  const queue = await aQueue()
  const answered = event('one', { score: 9, why: 'Fast' }, true)
  await queue.add([answered])
  await queue.run()
  await queue.add([answered])
  await queue.run()
  expect(bodies()).toMatchObject([
    {
      type: 'survey.answered',
      survey: { name: 'Score' },
      submission: { id: 'one', isComplete: true },
      person: { distinctId: 'ana' },
      answers: [
        { id: 'score', question: 'How likely?', answer: 9 },
        { id: 'why', question: 'Why?', answer: 'Fast' },
      ],
      text: expect.stringContaining('Why?: Fast'),
    },
  ])
  const { body, headers } = present(receiver.received[0])
  const signing = { secret, id: String(headers['webhook-id']), at: world.now() }
  expect(headers).toMatchObject(signatureHeaders(body, signing))
  expect(database((file) => file.prepare('select content, state from survey_deliveries').all())).toEqual([
    { content: null, state: 'sent' },
  ])
})

test('an incomplete submission is sent with all its answers after half an hour', async () => {
  const { world, aQueue, event, bodies } = await aWatchedSurvey()
  const queue = await aQueue()
  await queue.add([event('one', { score: 9 }, false)])
  world.advance('20 minutes')
  await queue.add([event('one', { why: 'Fast' }, false)])
  world.advance('29 minutes')
  await queue.run()
  expect(bodies()).toEqual([])
  world.advance('1 minute')
  await queue.run()
  expect(bodies()).toMatchObject([
    { submission: { isComplete: false }, answers: [{ id: 'score' }, { id: 'why' }] },
  ])
  await queue.add([event('one', { score: 10 }, true)])
  await queue.run()
  expect(bodies()).toHaveLength(1)
})

test('a submission that is completed before is sent at once, and only then', async () => {
  const { world, aQueue, event, bodies } = await aWatchedSurvey()
  const queue = await aQueue()
  await queue.add([event('one', { score: 9 }, false)])
  await queue.add([event('one', { score: 9, why: 'Fast' }, true)])
  await queue.run()
  world.advance('1 hour')
  await queue.run()
  expect(bodies()).toMatchObject([{ submission: { isComplete: true } }])
})

test('a delivery that fails is repeated with pauses, also after a restart', async () => {
  const { projectId, surveyId, receiver, world, webhooks, aQueue, event } = await aWatchedSurvey()
  receiver.status = 503
  const queue = await aQueue()
  await queue.add([event('one', { score: 9 }, true)])
  await queue.run()
  await queue.run()
  expect(receiver.received).toHaveLength(1)
  expect(await webhooks.deliveries(projectId, surveyId, viewer)).toMatchObject([
    { submission: 'one', state: 'waiting', attempts: 1, outcome: 'HTTP 503.' },
  ])
  await queue.close()
  receiver.status = 200
  world.advance('30 seconds')
  await (await aQueue()).run()
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([
    receiver.received[0]?.headers['webhook-id'],
    receiver.received[0]?.headers['webhook-id'],
  ])
  expect(await webhooks.deliveries(projectId, surveyId, viewer)).toMatchObject([
    { state: 'sent', attempts: 2, outcome: 'HTTP 200.' },
  ])
})

test('an example is sent on request, and listed', async () => {
  const { projectId, surveyId, receiver, webhooks, bodies } = await aWatchedSurvey()
  expect(await webhooks.test(projectId, surveyId, viewer)).toMatchObject({ delivered: true })
  expect(bodies()).toMatchObject([{ type: 'survey.test', answers: [{ answer: 'Example' }, {}] }])
  receiver.status = 500
  expect(await webhooks.test(projectId, surveyId, viewer)).toMatchObject({
    delivered: false,
    outcome: 'HTTP 500.',
  })
  expect(await webhooks.deliveries(projectId, surveyId, viewer)).toHaveLength(2)
})

describe('letters', () => {
  const client = { by: 'mail', address: 'client@example.com' }

  test('those who are notified get each response once, with a webhook and without', async () => {
    const { projectId, surveyId, receiver, webhooks, aQueue, event, notify, letters } = await aWatchedSurvey()
    await notify([client])
    const queue = await aQueue()
    receiver.status = 503
    await queue.add([event('one', { score: 9, why: '<b>Fast</b>' }, true)])
    await queue.run()
    requireDone(await webhooks.remove(projectId, surveyId, viewer))
    await queue.add([event('two', { score: 1 }, true), event('one', { score: 9 }, true)])
    await queue.run()
    await queue.run()
    const sent = await letters()
    expect(sent.map(({ recipient }) => recipient)).toEqual([client, client])
    expect(sent.map(({ message }) => message)).toMatchObject([
      { survey: 'Score', answers: [{ question: 'How likely?', answer: '9' }, { answer: '<b>Fast</b>' }] },
      { answers: [{ answer: '1' }], path: `/studio/acme/surveys/${surveyId}/response?id=two` },
    ])
    expect(await webhooks.deliveries(projectId, surveyId, viewer)).toMatchObject([
      { submission: 'one', state: 'failed', outcome: 'The webhook was removed.' },
    ])
  })

  test('a letter escapes what a visitor wrote, and the store forgets it once it is sent', async () => {
    const { product, projectId, surveyId, store, world, database, aQueue, event, notify } =
      await aWatchedSurvey()
    await notify([client])
    await product.alerts.contacts.apply({ do: 'confirm', project: projectId, address: client.address })
    const queue = await aQueue()
    await queue.add([event('one', { why: '<b>Fast</b>' }, true)])
    await queue.run()
    const posted: { to: string; subject: string; text: string; html?: string | undefined }[] = []
    const seal = { close: (secret: string) => secret, open: (sealed: string) => sealed }
    const links = new LetterLinks({ store, world, origin: 'https://tilth.example', seal })
    const deliveries = new Deliveries({
      store,
      world,
      outbound: new Outbound({ allowlist: emptyAllowlist }),
      mailer: { isSetUp: true, send: async (letter) => (posted.push(letter), { posted: true }) },
      members: product.projects.members,
      links,
      origin: 'https://tilth.example',
      seal,
    })
    await deliveries.run()
    const letter = present(posted.find(({ subject }) => subject === 'New response: Score (Acme)'))
    expect(letter.to).toBe(client.address)
    expect(letter.text).toContain('Why?\n<b>Fast</b>')
    expect(letter.text).toContain(`https://tilth.example/studio/acme/surveys/${surveyId}/response?id=one`)
    expect(letter.html).toContain('&#60;b&#62;Fast')
    expect(letter.html).not.toContain('<b>')
    const kept = database((file) => JSON.stringify(file.prepare('select message from outgoing').all()))
    expect(kept).not.toContain('Fast')
    expect(kept).not.toContain('"ana"')
  })

  test('more than the limit are not e-mailed, and the deliveries say so', async () => {
    const { projectId, surveyId, webhooks, aQueue, event, notify, letters } = await aWatchedSurvey()
    await notify([client])
    requireDone(await webhooks.remove(projectId, surveyId, viewer))
    let left = 1
    const queue = await aQueue({ mayMail: () => left-- > 0 })
    await queue.add([event('one', { score: 9 }, true), event('two', { score: 8 }, true)])
    await queue.run()
    expect(await letters()).toHaveLength(1)
    expect(await webhooks.deliveries(projectId, surveyId, viewer)).toMatchObject([
      { state: 'failed', outcome: 'There were too many responses in an hour to e-mail this one.' },
    ])
  })

  test('a new address is asked to confirm, and hindrances are named', async () => {
    const { product, projectId, surveyId, notify } = await aWatchedSurvey()
    const { survey } = await notify([client])
    expect(survey.notify).toEqual([client])
    expect([...(await product.surveys.letters(survey, viewer)).obstacles.values()]).toEqual(['unconfirmed'])
    const twice = await product.surveys.change(projectId, surveyId, { notify: [client, client] }, viewer)
    expect(problemMessages(twice)).toEqual(['A recipient is listed twice.'])
    const webhook = { by: 'webhook', url: 'https://example.com' }
    const elsewhere = await memberHelpers(product).aProject({ name: 'Elsewhere' })
    const stranger = await memberHelpers(product).aMember({ project: elsewhere })
    for (const member of ['nobody', stranger.id])
      expect(
        problemMessages(
          await product.surveys.change(projectId, surveyId, { notify: [{ by: 'member', member }] }, viewer),
        ),
      ).toEqual([`“${member}” is no member of this project. Choose a member, or give an e-mail address.`])

    const other = await product.surveys.change(projectId, surveyId, { notify: [webhook] }, viewer)
    expect(problemMessages(other)).toEqual(['E-mails go to members or e-mail addresses.'])
  })
})

describe('a question that a visitor made up', () => {
  const madeUp = 'Your session has ended, sign in again: https://evil.example'
  const client = { by: 'mail', address: 'client@example.com' }

  async function aForgedAnswer() {
    const watched = await aWatchedSurvey()
    const forged = watched.event('one', {}, true)
    const asked = [
      { id: 'score', question: madeUp, response: 9 },
      { id: madeUp, question: madeUp, response: 'now' },
      { id: 'other', question: madeUp, response: 'now' },
    ]
    return {
      ...watched,
      forged: { ...forged, properties: { ...forged.properties, $survey_questions: JSON.stringify(asked) } },
    }
  }

  test('is in no webhook and no e-mail, which say how many answers they leave out', async () => {
    const { aQueue, forged, notify, letters, bodies } = await aForgedAnswer()
    await notify([client])
    const queue = await aQueue()
    await queue.add([forged])
    await queue.run()
    const note = '2 answers are left out: the survey has no such questions.'
    expect(bodies()).toMatchObject([
      {
        answers: [{ id: 'score', question: 'How likely?', answer: 9 }],
        leftOut: 2,
        text: expect.stringMatching(`How likely\\?: 9\n${note}$`),
      },
    ])
    const sent = await letters()
    expect(sent.map(({ message }) => message)).toMatchObject([
      { answers: [{ question: 'How likely?', answer: '9' }], note },
    ])
    expect(JSON.stringify([bodies(), sent])).not.toContain('session has ended')
  })

  test('is in no message that waited when Tilth was upgraded', async () => {
    const { aQueue, forged, database, bodies } = await aForgedAnswer()
    const queue = await aQueue()
    await queue.add([forged])
    const stored = database((file) => file.prepare('select content from survey_deliveries').get())
    expect(JSON.stringify(stored)).toContain('session has ended')
    await queue.run()
    expect(JSON.stringify(bodies())).not.toContain('session has ended')
  })

  test('of a property alone is left out as well', async () => {
    const { aQueue, forged, bodies } = await aForgedAnswer()
    const { $survey_questions: _, ...properties } = forged.properties
    const answers = { $survey_response_why: 'Fast', [`$survey_response_${madeUp}`]: 'now' }
    const queue = await aQueue()
    await queue.add([{ ...forged, properties: { ...properties, ...answers } }])
    await queue.run()
    expect(bodies()).toMatchObject([
      {
        answers: [{ id: 'why', question: 'Why?', answer: 'Fast' }],
        leftOut: 1,
        text: expect.stringContaining('One answer is left out: the survey has no such question.'),
      },
    ])
  })

  test('a question keeps the text of the version that was answered', async () => {
    const { product, projectId, surveyId, aQueue, event, bodies } = await aWatchedSurvey()
    requireDone(await product.surveys.launch(projectId, surveyId, {}, viewer))
    const [score] = content.questions
    requireDone(
      await product.surveys.change(projectId, surveyId, { content: { questions: [score] } }, viewer),
    )
    await product.surveys.published.caughtUp()
    const answered = event('one', { why: 'Fast' }, true)
    const queue = await aQueue()
    await queue.add([{ ...answered, properties: { ...answered.properties, $survey_version: '1' } }])
    await queue.run()
    expect(bodies()).toMatchObject([{ answers: [{ id: 'why', question: 'Why?', answer: 'Fast' }] }])
  })
})

describe('what is not sent', () => {
  test('answers to other surveys, of tests and of robots', async () => {
    const { aQueue, event, bodies } = await aWatchedSurvey()
    const queue = await aQueue()
    const answered = event('one', { score: 9 }, true)
    await queue.add([
      { ...answered, properties: { ...answered.properties, $survey_id: 'another' } },
      { ...answered, properties: { ...answered.properties, $survey_test: 'true' } },
      { ...answered, columns: { traffic: 'bot' } },
    ])
    await queue.run()
    expect(bodies()).toEqual([])
  })

  test('what waits when the webhook is removed', async () => {
    const { projectId, surveyId, webhooks, aQueue, event, bodies } = await aWatchedSurvey()
    const queue = await aQueue()
    await queue.add([event('one', { score: 9 }, true)])
    requireDone(await webhooks.remove(projectId, surveyId, viewer))
    await queue.run()
    expect(bodies()).toEqual([])
    expect(await webhooks.deliveries(projectId, surveyId, viewer)).toMatchObject([
      { state: 'failed', outcome: 'The webhook was removed.' },
    ])
  })
})

describe('a receiver that cannot be reached', () => {
  /** A port that no program listens on. */
  const nowhere = 'http://127.0.0.1:9/hook'
  const answers = (count: number, event: (submission: string) => AnswerEventRow) =>
    Array.from({ length: count }, (_, n) => event(`submission ${n}`))

  test('holds up no e-mail, and the deliveries say since when it has not answered', async () => {
    const { projectId, surveyId, webhooks, world, aQueue, event, notify, letters } = await aWatchedSurvey({
      allow: '127.0.0.0/8,127.0.0.1:9',
    })
    await notify([{ by: 'mail', address: 'client@example.com' }])
    requireDone(await webhooks.set(projectId, surveyId, { url: nowhere }, viewer))
    const queue = await aQueue()
    await queue.add(answers(20, (submission) => event(submission, { score: 9 }, true)))
    await queue.run()
    expect(await letters()).toHaveLength(20)
    const listed = await webhooks.deliveries(projectId, surveyId, viewer)
    expect(listed.filter(({ state }) => state === 'waiting')).toHaveLength(20)
    expect(listed[0]?.outcome).toMatch(
      /127\.0\.0\.1:9 has not answered since 2026-03-02 10:00 UTC\. The next attempt is at /,
    )

    world.advance('20 minutes')
    await queue.run()
    const tried = await webhooks.deliveries(projectId, surveyId, viewer)
    expect(tried.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(3)
  })

  test('is left alone once another address is set, which gets what waits', async () => {
    const { projectId, surveyId, receiver, webhooks, aQueue, event, bodies } = await aWatchedSurvey({
      allow: '127.0.0.0/8,127.0.0.1:9',
    })
    requireDone(await webhooks.set(projectId, surveyId, { url: nowhere }, viewer))
    const queue = await aQueue()
    await queue.add(answers(20, (submission) => event(submission, { score: 9 }, true)))
    await queue.run()
    requireDone(await webhooks.set(projectId, surveyId, { url: receiver.url }, viewer))
    await queue.run()
    // those that were tried before wait for their own next attempt
    expect(bodies()).toHaveLength(17)
  })
})

test('an example that arrives sends what waits at once', async () => {
  const { projectId, surveyId, webhooks, aQueue, event } = await aWatchedSurvey()
  let calls = 0
  const server = createServer((_, response) => {
    calls++
    response.writeHead(204).end()
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  await listen(0)
  onTestFinished(() => void server.close())
  // a server that listens on a port has an address of this form
  const { port } = server.address() as AddressInfo
  await close()
  requireDone(await webhooks.set(projectId, surveyId, { url: `http://127.0.0.1:${port}/` }, viewer))
  const queue = await aQueue()
  await queue.add(Array.from({ length: 20 }, (_, n) => event(`submission ${n}`, { score: 9 }, true)))
  await queue.run()
  await listen(port)
  await queue.run()
  expect(calls).toBe(0)

  expect(await webhooks.test(projectId, surveyId, viewer)).toMatchObject({ delivered: true })
  await queue.run()
  // three were tried before, and wait for their own next attempt
  expect(calls).toBe(1 + 17)
})

describe('a flood of answers', () => {
  test('waits up to a limit, and the deliveries say how many more there were', async () => {
    const { projectId, surveyId, receiver, webhooks, database, aQueue, event, bodies } =
      await aWatchedSurvey()
    const queue = await aQueue({ mostWaiting: 5 })
    const flood = Array.from({ length: 8 }, (_, n) => event(`submission ${n}`, { score: 9 }, true))
    await queue.add(flood)
    await queue.add(flood.slice(0, 5))
    await queue.add([event('last', { score: 9 }, true)])
    const waiting = () =>
      database((file) =>
        file.prepare("select count(*) as n from survey_deliveries where state = 'waiting'").get(),
      )
    expect(waiting()).toEqual({ n: 5 })
    expect((await webhooks.deliveries(projectId, surveyId, viewer))[0]).toMatchObject({
      state: 'failed',
      outcome: '4 answers were not queued since 2026-03-02: too many were waiting. They are in the results.',
    })

    await queue.run()
    await queue.add([event('later', { score: 9 }, true)])
    await queue.run()
    expect(bodies()).toHaveLength(6)
    expect(receiver.received).toHaveLength(6)
  })

  test('to one survey takes no place of another', async () => {
    const { product, projectId, receiver, webhooks, aQueue, event, bodies } = await aWatchedSurvey()
    const created = await product.surveys.create(projectId, { name: 'Other', content }, viewer)
    const { id: otherId } = requireDone(created).survey
    requireDone(await webhooks.set(projectId, otherId, { url: receiver.url }, viewer))
    const queue = await aQueue({ mostWaiting: 2 })
    await queue.add(['one', 'two', 'three'].map((submission) => event(submission, { score: 9 }, true)))
    const other = event('four', { score: 9 }, true)
    await queue.add([{ ...other, properties: { ...other.properties, $survey_id: otherId } }])
    await queue.run()
    expect(bodies()).toHaveLength(3)
  })
})

test('addresses that Tilth may not reach are refused', async () => {
  const { projectId, surveyId, product } = await aWatchedSurvey()
  const inside = { url: 'http://169.254.169.254/' }
  expect(
    problemMessages(await product.surveys.webhooks.set(projectId, surveyId, inside, viewer)),
  ).toHaveLength(1)
})

test('answers of old SDKs are named by their position', async () => {
  const { aQueue, event, bodies } = await aWatchedSurvey()
  const queue = await aQueue()
  const { properties: _, ...answered } = event('one', {}, true)
  const surveyId = event('one', {}, true).properties['$survey_id'] ?? ''
  const properties = { $survey_id: surveyId, $survey_questions: '["How likely?"]', $survey_response: '9' }
  await queue.add([{ ...answered, properties }])
  await queue.run()
  expect(bodies()).toMatchObject([
    { submission: { id: 'event:uuid of one' }, answers: [{ id: '', question: 'How likely?', answer: '9' }] },
  ])
})
