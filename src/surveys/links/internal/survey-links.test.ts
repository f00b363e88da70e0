import { describe, expect, test } from 'vitest'
import { openTestProduct, present, problemMessages, requireDone } from '#test/product/fixture'
import { operator } from '#projects/access'
import { linkStateOf } from '../survey-link'

const viewer = operator('Ana')
const content = {
  questions: [
    { id: 'score', kind: 'rating', text: 'How likely?', display: 'number', scale: 10 },
    { id: 'why', kind: 'open', text: 'Why?', isRequired: false },
  ],
  sendsPartialAnswers: true,
}
const sender = { address: '203.0.113.7' }

async function aPageByLink() {
  const { product, world, database, aProject } = await openTestProduct()
  const { id: projectId } = await aProject()
  const input = {
    name: 'Score',
    content,
    placement: { kind: 'hosted' },
    hostedPage: { isOpen: true, needsLink: true },
  }
  const { survey } = requireDone(await product.surveys.create(projectId, input, viewer))
  requireDone(await product.surveys.launch(projectId, survey.id, {}, viewer))
  const make = async (more: object) =>
    requireDone(await product.surveys.links.create(projectId, survey.id, more, viewer)).links
  const tokenOf = ({ address }: { address: string }) => present(new URL(address).searchParams.get('link'))
  const aLink = async (recipient: object = {}, more: object = {}) => {
    const link = present((await make({ recipients: [recipient], ...more }))[0])
    return { ...link, token: tokenOf(link) }
  }
  const answer = async (token: string, more: object = {}) => {
    const given = { answers: { score: 9 }, proof: `link:${token}`, ...more }
    return await product.surveys.answers.take(projectId, survey.id, given, sender)
  }
  const states = async () =>
    (await product.surveys.links.list(projectId, survey.id, viewer)).map((link) =>
      linkStateOf(link, world.now()),
    )
  return { product, projectId, survey, world, database, make, aLink, answer, states }
}

const problemOf = (outcome: { taken: boolean; problem?: string }) =>
  outcome.taken ? undefined : outcome.problem
const usedAlready = 'This link was used already: each takes one answer. Thank you.'

test('a link takes one answer, which belongs to its person', async () => {
  const { aLink, answer, states } = await aPageByLink()
  const { token } = await aLink({ distinctId: 'ana', label: 'Ana' })
  expect(await answer(token)).toMatchObject({ taken: true, person: 'ana' })
  expect(problemOf(await answer(token))).toBe(usedAlready)
  expect(await states()).toEqual(['answered'])
})

test('of two answers at once, one is taken', async () => {
  const { aLink, answer } = await aPageByLink()
  const { token } = await aLink()
  const outcomes = await Promise.all([answer(token), answer(token)])
  expect(outcomes.filter(({ taken }) => taken)).toHaveLength(1)
})

test('the same form sent twice at once is taken once', async () => {
  const { aLink, answer } = await aPageByLink()
  const { token } = await aLink()
  const submissionId = '0192f0a1-7c11-4d5e-8a3f-1b2c3d4e5f60'
  const outcomes = await Promise.all([answer(token, { submissionId }), answer(token, { submissionId })])
  expect(outcomes.filter(({ taken }) => taken)).toHaveLength(1)
})

test('a link that is begun goes on with its submission until it is complete', async () => {
  const { aLink, answer, states } = await aPageByLink()
  const { token } = await aLink()
  const first = await answer(token, { isComplete: false })
  expect(await states()).toEqual(['begun'])
  const second = await answer(token)
  const ids = [first, second].map((one) => one.taken && one.event.properties['$survey_submission_id'])
  expect(ids[1]).toBe(ids[0])
  expect(await states()).toEqual(['answered'])
})

test('that the page was seen uses no link, and an answer that was not recorded gives it back', async () => {
  const { aLink, answer, states } = await aPageByLink()
  const { token } = await aLink()
  expect((await answer(token, { event: 'shown', answers: {} })).taken).toBe(true)
  expect(await states()).toEqual(['unused'])
  const outcome = await answer(token)
  if (outcome.taken) await outcome.giveBack()
  expect((await answer(token)).taken).toBe(true)
})

describe('what is refused, with a sentence', () => {
  test('no link, another survey’s, and one that is expired or revoked', async () => {
    const { product, projectId, survey, world, aLink, answer } = await aPageByLink()
    const without = await product.surveys.answers.take(
      projectId,
      survey.id,
      { answers: { score: 9 } },
      sender,
    )
    expect(problemOf(without)).toBe('This survey needs a personal link.')
    expect(problemOf(await answer('unknown'))).toMatch(/^This link is not one of this survey\./)

    const expiresAt = new Date(world.now().getTime() + 60_000).toISOString()
    const expiring = await aLink({}, { expiresAt })
    world.advance('1 minute')
    expect(problemOf(await answer(expiring.token))).toMatch(/^This link has expired\./)

    const revoked = await aLink()
    requireDone(await product.surveys.links.revoke(projectId, survey.id, revoked.id, viewer))
    expect(problemOf(await answer(revoked.token))).toBe('This link was withdrawn by its sender.')
    expect(
      problemMessages(await product.surveys.links.revoke(projectId, survey.id, revoked.id, viewer)),
    ).toEqual(['There is no such link, or it was answered or revoked already.'])
  })

  test.each<[string, object, string]>([
    ['neither a count nor recipients', {}, 'Give a count or a list of recipients.'],
    ['too many', { count: 1001 }, 'At most 1000 links can be made at once.'],
    ['no address', { recipients: [{ email: 'ana' }] }, 'Write an address such as “ana@example.com”.'],
    [
      'a time that is over',
      { count: 1, expiresAt: '2020-01-01T00:00:00Z' },
      'The links would expire at once. Choose a later time.',
    ],
  ])('%s', async (_, input, problem) => {
    const { product, projectId, survey } = await aPageByLink()
    expect(problemMessages(await product.surveys.links.create(projectId, survey.id, input, viewer))).toEqual([
      problem,
    ])
  })

  test('a PIN or links for a survey that appears elsewhere too', async () => {
    const { product, projectId, survey } = await aPageByLink()
    const change = { placement: { kind: 'popover' } }
    expect(problemMessages(await product.surveys.change(projectId, survey.id, change, viewer))).toEqual([
      'A PIN and personal links protect a survey that appears only at its own address. Choose that placement, or remove them.',
    ])
  })
})

test('tokens are stored as hashes, and are no part of events', async () => {
  const { aLink, answer, database } = await aPageByLink()
  const { token, address } = await aLink()
  const rows = database((file) => JSON.stringify(file.prepare('select * from survey_links').all()))
  expect(rows).not.toContain(token)
  const outcome = await answer(token, { url: `${address}&q0=9` })
  expect(outcome.taken && outcome.event.properties['$current_url']).toMatch(/\?q0=9$/)
  expect(JSON.stringify(outcome)).not.toContain(token)
})

test('many links are made at once', async () => {
  const { make, states } = await aPageByLink()
  expect(new Set((await make({ count: 1000 })).map(({ address }) => address)).size).toBe(1000)
  expect(await states()).toHaveLength(1000)
})
