import { expect, onTestFinished, test } from 'vitest'
import { Mailer, type MailResult } from '#outbound/mailer'
import { operator } from '#projects/access'
import { openStore } from '#store/open'
import { openTestProduct, present, problemMessages, requireDone } from '#test/product/fixture'
import { aMailServer } from '#test/outside/smtp'
import { lettersPerMinute, MailingSender } from './internal/mailing-sender'
import { addressesIn } from './internal/recipients'
import { SubmissionCounts } from '../internal/submission-counts'
import type { Survey } from '../survey'
import { beginSending, lettersOf } from './internal/store'
import { oneClickAnswers, surveyLetter } from './internal/survey-letter'
import { SurveyMailings } from './survey-mailings'
import { UnsubscribeLinks } from './unsubscribe-links'

const viewer = operator('Ana')
const content = {
  questions: [
    {
      id: 'score',
      kind: 'rating',
      text: 'How <likely>?',
      display: 'number',
      scale: 10,
      lowerLabel: 'No',
      upperLabel: 'Yes',
    },
    { id: 'why', kind: 'open', text: 'Why?', isRequired: false },
  ],
}
const address = 'https://tilth.example'

async function aRunningSurvey(send?: (to: string) => Promise<MailResult>) {
  const { product, world, folder, aProject } = await openTestProduct()
  const { id: projectId } = await aProject()
  const hostedPage = { isOpen: true, needsLink: true }
  const input = { name: 'Score', content, placement: { kind: 'hosted' }, hostedPage }
  const { id: surveyId } = requireDone(await product.surveys.create(projectId, input, viewer)).survey
  const { survey } = requireDone(await product.surveys.launch(projectId, surveyId, {}, viewer))
  const store = await openStore({ folder, url: undefined })
  onTestFinished(() => store.close())
  const seal = { digest: (text: string) => `key of ${text}` }
  const unsubscribing = new UnsubscribeLinks({ store, world, seal, address })
  const sent: { to: string; text: string; unsubscribe: string | undefined }[] = []
  const mailer = {
    send: async (letter: Parameters<Mailer['send']>[0]): Promise<MailResult> => {
      const result = (await send?.(letter.to)) ?? { posted: true }
      if (result.posted) sent.push({ to: letter.to, text: letter.text, unsubscribe: letter.unsubscribe })
      return result
    },
  }
  const statusOf = (one: Survey) => product.surveys.statusOf(one)
  const sending = { store, world, published: product.surveys.published, statusOf, unsubscribing, address }
  const sender = new MailingSender({ ...sending, mailer })
  const mailings = new SurveyMailings({
    store,
    world,
    statusOf,
    canMail: () => true,
    address,
    recipientsIn: async () => ({
      done: true,
      recipients: [{ address: 'ana@example.com', distinctId: 'ana' }],
    }),
  })
  const order = (more: object) =>
    mailings.send(projectId, surveyId, { subject: 'A question', ...more }, viewer)
  const letters = async () =>
    (await lettersOf(store, projectId, surveyId)).map(({ state, outcome }) => [state, outcome])
  return {
    product,
    projectId,
    survey,
    world,
    store,
    sender,
    sending,
    mailings,
    unsubscribing,
    sent,
    order,
    letters,
  }
}

test('each recipient gets one letter with a link of their own, whose answer is theirs', async () => {
  const { product, projectId, survey, sender, sent, order } = await aRunningSurvey()
  requireDone(await order({ addresses: 'Ben <Ben@example.com>\nana@example.com', cohort: 'all' }))
  await sender.run()
  await sender.run()
  expect(sent.map(({ to }) => to).toSorted()).toEqual(['ana@example.com', 'ben@example.com'])
  const letter = present(sent.find(({ to }) => to === 'ana@example.com'))
  const nine = new URL(present(/^9: (.*)$/m.exec(letter.text)?.[1]))
  expect([nine.pathname, nine.searchParams.get('q0')]).toEqual([`/s/${survey.id}`, '9'])
  const proof = `link:${nine.searchParams.get('link')}`
  const sender1 = { address: '203.0.113.7' }
  const outcome = await product.surveys.answers.take(
    projectId,
    survey.id,
    { answers: { score: 9 }, proof },
    sender1,
  )
  expect(outcome).toMatchObject({ taken: true, person: 'ana' })

  expect(problemMessages(await order({ addresses: 'ANA@example.com' }))).toEqual([
    'There are no recipients. Paste addresses, or choose a cohort.',
  ])
})

test('letters keep to a rate, and go on after a restart', async () => {
  const { world, sending, sender, sent, order } = await aRunningSurvey()
  const addresses = Array.from({ length: lettersPerMinute + 5 }, (_, index) => `p${index}@example.com`)
  requireDone(await order({ addresses: addresses.join('\n') }))
  await sender.run()
  await sender.run()
  expect(sent).toHaveLength(lettersPerMinute)
  world.advance('61 seconds')
  const mailer = {
    send: async ({ to }: { to: string }) => (
      sent.push({ to, text: '', unsubscribe: '' }),
      { posted: true as const }
    ),
  }
  await new MailingSender({ ...sending, mailer }).run()
  expect(new Set(sent.map(({ to }) => to)).size).toBe(addresses.length)
  expect(sent).toHaveLength(addresses.length)
})

test('the letters of one project do not wait for those of another', async () => {
  const { product, world, sender, mailings, sent, order } = await aRunningSurvey()
  const addresses = Array.from({ length: 2 * lettersPerMinute }, (_, index) => `p${index}@example.com`)
  requireDone(await order({ addresses: addresses.join('\n') }))
  world.advance('1 second')
  const { project } = requireDone(await product.projects.create({ name: 'Other' }, viewer))
  const input = {
    name: 'Score',
    content,
    placement: { kind: 'hosted' },
    hostedPage: { isOpen: true, needsLink: true },
  }
  const { survey } = requireDone(await product.surveys.create(project.id, input, viewer))
  requireDone(await product.surveys.launch(project.id, survey.id, {}, viewer))
  const other = { subject: 'A question', addresses: 'zoe@example.com' }
  requireDone(await mailings.send(project.id, survey.id, other, viewer))

  await sender.run()
  expect(sent).toHaveLength(lettersPerMinute)
  expect(sent.slice(0, 2).map(({ to }) => to)).toContain('zoe@example.com')
})

test('while the mail server does not answer, no further letter is tried', async () => {
  const calls: string[] = []
  const { sender, order, letters } = await aRunningSurvey(async (to) => {
    calls.push(to)
    return { posted: false, isFinal: false, why: 'Away.', isUnreachable: true }
  })
  requireDone(await order({ addresses: 'ana@example.com\nben@example.com' }))
  await sender.run()
  expect(calls).toHaveLength(1)
  expect(await letters()).toHaveLength(2)
})

test('a letter that was being sent when Tilth stopped is not sent again', async () => {
  const { projectId, survey, world, store, sender, sent, order, letters } = await aRunningSurvey()
  requireDone(await order({ addresses: 'ben@example.com' }))
  const [letter] = await lettersOf(store, projectId, survey.id)
  expect(await beginSending(store, present(letter).id, world.now())).toBe(true)
  await sender.run()
  expect(sent).toEqual([])
  expect(await letters()).toEqual([['failed', expect.stringMatching(/^Tilth stopped while/)]])
})

test('a letter that the mail server puts off is tried again with another link; a refused one is not', async () => {
  const answers = new Map<string, MailResult[]>([
    ['later@example.com', [{ posted: false, isFinal: false, why: 'Later (451).' }]],
    ['never@example.com', [{ posted: false, isFinal: true, why: 'No such mailbox (550).' }]],
  ])
  const { product, projectId, survey, world, sender, sent, order } = await aRunningSurvey(
    async (to) => answers.get(to)?.shift() ?? { posted: true },
  )
  requireDone(await order({ addresses: 'later@example.com, never@example.com' }))
  await sender.run()
  expect(sent).toEqual([])
  world.advance('31 seconds')
  await sender.run()
  expect(sent.map(({ to }) => to)).toEqual(['later@example.com'])
  const links = await product.surveys.links.list(projectId, survey.id, viewer)
  expect(links.filter(({ revokedAt }) => !revokedAt)).toMatchObject([{ email: 'later@example.com' }])
})

test('an address that unsubscribed gets no letter, also one that is ordered already', async () => {
  const { mailings, projectId, survey, unsubscribing, sender, sent, order, letters } = await aRunningSurvey()
  requireDone(await order({ addresses: 'ben@example.com' }))
  const link = unsubscribing.linkFor({ projectId, address: 'ben@example.com' })
  const token = present(link.split('/').at(-1))
  await unsubscribing.apply(present(unsubscribing.read(token)))
  expect(unsubscribing.read(`${token}x`)).toBeUndefined()
  await sender.run()
  expect(sent).toEqual([])
  expect(await letters()).toEqual([['failed', 'The recipient unsubscribed from survey e-mails.']])
  const input = { subject: 'Again', addresses: 'ben@example.com\nnobody' }
  expect(requireDone(await mailings.preview(projectId, survey.id, input, viewer))).toMatchObject({
    recipients: 0,
    left: [
      { why: 'This is not an e-mail address.' },
      { why: 'The recipient unsubscribed from survey e-mails.' },
    ],
  })
})

test('letters wait for nothing once the survey has ended', async () => {
  const { product, projectId, survey, sender, sent, order, letters } = await aRunningSurvey()
  requireDone(await order({ addresses: 'ben@example.com' }))
  requireDone(await product.surveys.stop(projectId, survey.id, viewer))
  await sender.run()
  expect(sent).toEqual([])
  expect(await letters()).toEqual([['failed', 'The survey no longer takes responses.']])
  expect(problemMessages(await order({ addresses: 'new@example.com' }))).toEqual([
    'The survey takes no responses now. Launch it first.',
  ])
})

test('letters wait for nothing once the survey is full, whichever process took its last response', async () => {
  const { product, projectId, survey, world, store, sender, sent, order, letters } = await aRunningSurvey()
  requireDone(await order({ addresses: 'ben@example.com' }))
  const limited = await product.surveys.change(projectId, survey.id, { responseLimit: 1 }, viewer)
  const counts = await SubmissionCounts.open({ store, world, onTrouble: () => {} })
  onTestFinished(() => counts.close())
  counts.note(requireDone(limited).survey, 'the last')
  await counts.saved()
  await expect
    .poll(async () => problemMessages(await order({ addresses: 'new@example.com' })))
    .toEqual(['The survey has reached its response limit. Raise the limit first.'])
  await sender.run()
  expect(sent).toEqual([])
  expect(await letters()).toContainEqual(['failed', 'The survey no longer takes responses.'])
})

test('without a mail server, an order says how to set one up', async () => {
  const { product, projectId, survey } = await aRunningSurvey()
  const input = { subject: 'A question', addresses: 'ben@example.com' }
  expect(problemMessages(await product.surveys.mailings.send(projectId, survey.id, input, viewer))).toEqual([
    'E-mail isn’t set up. An owner sets it up under Settings → E-mail.',
  ])
})

test('the letter arrives with both parts and one-click headers', async () => {
  const server = await aMailServer()
  const { sending, order } = await aRunningSurvey()
  const settings = {
    host: '127.0.0.1',
    port: server.port,
    isSecure: false,
    user: undefined,
    password: undefined,
    from: 'tilth@example.com',
  }
  const mailer = new Mailer(() => settings)
  onTestFinished(() => mailer.close())
  requireDone(await order({ addresses: 'ben@example.com', message: 'Dear Ben' }))
  await new MailingSender({ ...sending, mailer }).run()
  const { to, raw } = present(server.letters[0])
  expect(to).toEqual(['ben@example.com'])
  expect(raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  expect(raw).toContain('/_tilth/survey-letters/')
  expect(raw).toMatch(/text\/plain[\s\S]*text\/html/)
})

test('the answers to the first question are links in the colours of the survey', async () => {
  const { survey } = await aRunningSurvey()
  const links = { survey: `${address}/s/one?link=token`, unsubscribe: `${address}/off` }
  const { html } = surveyLetter(survey, { subject: 'Hi', message: '<b>&\nBen' }, links)
  expect(html.match(/<a href="[^"]*q0=/g)).toHaveLength(11)
  expect(html).toContain('How &#60;likely&#62;?')
  expect(html).toContain('&#60;b&#62;&#38;<br>Ben')
  expect(html).toContain(survey.content.appearance.buttonColor)
  const [, why] = survey.content.questions
  expect(oneClickAnswers(why)).toEqual([])
  const open = { ...survey, content: { ...survey.content, questions: [present(why)] } }
  expect(surveyLetter(open, { subject: 'Hi', message: '' }, links).text).toContain(
    `Answer the survey: ${links.survey}`,
  )
})

test('pasted addresses are read with or without names, each once', () =>
  expect(addressesIn('Ana <ana@example.com>; BEN@example.com,ben@example.com\n\nnobody')).toEqual({
    recipients: [
      { address: 'ana@example.com', distinctId: undefined },
      { address: 'ben@example.com', distinctId: undefined },
    ],
    unreadable: ['nobody'],
  }))
