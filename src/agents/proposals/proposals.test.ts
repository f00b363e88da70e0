import { expect, test } from 'vitest'
import { AccessRefusedError, operator, type Right, type Viewer } from '#projects/access'
import { openTestProduct, present, problemMessages, requireDone, testOrigin } from '#test/product/fixture'

const rightsToFlags: readonly Right[] = ['project:read', 'events:read', 'proposals:write']

/** A project with a flag, an assistant with a key, and Ana, who edits. */
async function aProposingAssistant(held: readonly Right[] = rightsToFlags) {
  const fixture = await openTestProduct()
  const { product, aProject, aMember, signedIn } = fixture
  const acme = await aProject()
  requireDone(await product.flags.create(acme.id, { key: 'new-price' }, operator()))
  const ana = await signedIn(await aMember({ role: 'editor' }))
  const assistant = await aKey(held)

  async function aKey(scopes: readonly Right[], name = 'Claude'): Promise<Viewer> {
    const { text } = requireDone(await product.projects.keys.create(acme.id, { name, scopes }, operator()))
    return present(await product.projects.keys.viewer(text, testOrigin))
  }

  async function propose(change: string, input: object, viewer = assistant) {
    const outcome = requireDone(await product.proposals.request(acme.id, change, input, viewer))
    if (outcome.made) throw new Error('It was made at once.')
    return outcome.proposal
  }

  return { ...fixture, acme, ana, assistant, aKey, propose, proposals: product.proposals }
}

const on = { environments: { production: { isOn: true, conditions: [{ percentage: 10 }] } } }

test('a flag is proposed, approved by a member, and its history names both', async () => {
  const { product, acme, ana, propose, proposals } = await aProposingAssistant()
  const proposal = await propose('change_flag', { flag: 'new-price', ...on, reason: 'Try it on a few.' })
  const before = await product.flags.find(acme.id, 'new-price', ana)
  const approved = requireDone(await proposals.approve(acme.id, proposal.id, ana))

  expect(proposal).toMatchObject({
    sentence: 'Change the flag new-price.',
    lines: ['production: turned on', 'production: new: 10% of everyone get it.'],
    reason: 'Try it on a few.',
    proposedBy: 'Claude',
    state: 'open',
    thing: 'flags/new-price',
  })
  expect(before?.environments).toEqual({})
  expect(approved.path).toBe('flags/new-price')
  const [latest] = await product.flags.history(acme.id, 'new-price', ana)
  expect(latest).toMatchObject({ by: 'Ana Berg (proposed by Claude)', version: 2 })
  expect(latest?.flag.environments.production?.isOn).toBe(true)
  expect(await proposals.find(acme.id, proposal.id, ana)).toMatchObject({
    proposal: { state: 'approved', decidedBy: 'Ana Berg', result: 'flags/new-price' },
  })
})

test('two approvals at once make the change once', async () => {
  const { product, acme, ana, propose, proposals, anotherProcess } = await aProposingAssistant()
  const { id } = await propose('change_flag', { flag: 'new-price', ...on })
  const elsewhere = (await anotherProcess()).proposals
  const outcomes = await Promise.all([
    proposals.approve(acme.id, id, ana),
    elsewhere.approve(acme.id, id, ana),
    proposals.approve(acme.id, id, ana),
  ])

  expect(outcomes.filter(({ done }) => done)).toHaveLength(1)
  expect(await product.flags.history(acme.id, 'new-price', ana)).toHaveLength(2)
})

test('what was changed meanwhile is not changed by an older proposal, and the proposal stays open', async () => {
  const { product, acme, ana, propose, proposals } = await aProposingAssistant()
  const { id } = await propose('change_flag', { flag: 'new-price', ...on })
  requireDone(await product.flags.change(acme.id, 'new-price', { description: 'Mine' }, ana))

  expect(problemMessages(await proposals.approve(acme.id, id, ana))[0]).toMatch(/^It was changed after/)
  expect(await proposals.find(acme.id, id, ana)).toMatchObject({
    proposal: { state: 'open' },
    hindrance: expect.stringMatching(/^It was changed after/),
  })
  expect((await product.flags.find(acme.id, 'new-price', ana))?.environments).toEqual({})
})

test('a change that the product refuses leaves the proposal open, and can be approved later', async () => {
  const { product, acme, ana, propose, proposals } = await aProposingAssistant()
  const needsOther = {
    environments: {
      production: {
        isOn: true,
        conditions: [{ conditions: [{ type: 'flag', flag: 'other', value: true }] }],
      },
    },
  }
  const { id } = await propose('change_flag', { flag: 'new-price', ...needsOther })
  const refused = await proposals.approve(acme.id, id, ana)
  requireDone(await product.flags.create(acme.id, { key: 'other' }, ana))

  expect(problemMessages(refused).join()).toMatch(/other/)
  requireDone(await proposals.approve(acme.id, id, ana))
  expect(await product.flags.history(acme.id, 'new-price', ana)).toHaveLength(2)
})

test('a refusal says why, and ends it', async () => {
  const { acme, ana, propose, proposals, product } = await aProposingAssistant()
  const { id } = await propose('archive_flag', { flag: 'new-price' })
  requireDone(await proposals.refuse(acme.id, id, { reason: 'Still in use.' }, ana))

  expect(await proposals.find(acme.id, id, ana)).toMatchObject({
    proposal: { state: 'refused', refusal: 'Still in use.', decidedBy: 'Ana Berg' },
  })
  expect(problemMessages(await proposals.approve(acme.id, id, ana))).toEqual([
    'The proposal was refused already.',
  ])
  expect((await product.flags.find(acme.id, 'new-price', ana))?.archivedAt).toBeUndefined()
})

test('a proposal is open for thirty days', async () => {
  const { acme, ana, world, propose, proposals } = await aProposingAssistant()
  const { id } = await propose('archive_flag', { flag: 'new-price' })
  world.advance('29 days')
  expect((await proposals.openCounts([acme.id], operator())).get(acme.id)).toBe(1)
  world.advance('1 day')

  expect((await proposals.openCounts([acme.id], operator())).get(acme.id)).toBeUndefined()
  expect(await proposals.list(acme.id, operator(), { state: 'expired' })).toMatchObject([{ id }])
  const late = await proposals.approve(acme.id, id, { ...ana, authenticatedAt: world.now() })
  expect(problemMessages(late)).toEqual(['The proposal has expired: it was open for 30 days.'])
})

test('a key with the right to flags changes what visitors do not notice at once, and asks for the rest', async () => {
  const allowed: readonly Right[] = [...rightsToFlags, 'flags:write']
  const { product, acme, assistant, propose, proposals } = await aProposingAssistant(allowed)
  const described = requireDone(
    await proposals.request(acme.id, 'change_flag', { flag: 'new-price', description: 'A test' }, assistant),
  )
  requireDone(await proposals.request(acme.id, 'create_flag', { key: 'off' }, assistant))

  expect(described).toMatchObject({ made: true, path: 'flags/new-price' })
  expect((await product.flags.list(acme.id, operator())).map(({ key }) => key)).toEqual(['new-price', 'off'])
  const asked: [string, object][] = [
    ['change_flag', { flag: 'new-price', ...on }],
    ['change_flag', { flag: 'new-price', variants: [{ key: 'a', percentage: 100 }] }],
    ['create_flag', { key: 'live', ...on }],
    ['archive_flag', { flag: 'new-price' }],
  ]
  for (const [change, input] of asked) expect((await propose(change, input)).state).toBe('open')
  expect((await product.flags.find(acme.id, 'new-price', operator()))?.environments).toEqual({})
})

test('no key approves, and no member without the right to the thing', async () => {
  const { acme, assistant, aMember, signedIn, propose, proposals, product } = await aProposingAssistant([
    ...rightsToFlags,
    'flags:write',
  ])
  const { id } = await propose('archive_flag', { flag: 'new-price' })
  const viewer = await signedIn(await aMember({ role: 'viewer', name: 'Vera Vi' }))

  for (const one of [assistant, viewer])
    for (const decide of ['approve', 'refuse'] as const)
      await expect(
        decide === 'approve' ? proposals.approve(acme.id, id, one) : proposals.refuse(acme.id, id, {}, one),
      ).rejects.toThrow(AccessRefusedError)
  expect((await product.flags.find(acme.id, 'new-price', operator()))?.archivedAt).toBeUndefined()
})

test('a viewer cannot propose, and a key only what it may read', async () => {
  const { acme, aKey, aMember, signedIn, propose, proposals } = await aProposingAssistant()
  const viewer = await signedIn(await aMember({ role: 'viewer', name: 'Vera Vi' }))
  const blind = await aKey(['project:read', 'proposals:write'])
  const input = { flag: 'new-price' }
  for (const one of [viewer, blind])
    await expect(proposals.request(acme.id, 'archive_flag', input, one)).rejects.toThrow(AccessRefusedError)
  const { id } = await propose('archive_flag', input)

  expect(await proposals.list(acme.id, blind)).toEqual([])
  expect(await proposals.find(acme.id, id, blind)).toBeUndefined()
})

test('another project has no such proposal', async () => {
  const { acme, ana, aProject, propose, proposals } = await aProposingAssistant()
  const other = await aProject({ name: 'Other' })
  const { id } = await propose('archive_flag', { flag: 'new-price' })

  expect(await proposals.find(other.id, id, operator())).toBeUndefined()
  expect(problemMessages(await proposals.approve(other.id, id, operator()))).toEqual([
    'There is no such proposal in this project.',
  ])
  await expect(proposals.approve(other.id, id, ana)).rejects.toThrow(AccessRefusedError)
  expect(await proposals.find(acme.id, id, ana)).toMatchObject({ proposal: { state: 'open' } })
})

test('a proposal is withdrawn by the key that made it', async () => {
  const { acme, assistant, aKey, propose, proposals } = await aProposingAssistant()
  const { id } = await propose('archive_flag', { flag: 'new-price' })
  const another = await aKey(rightsToFlags, 'Another')

  expect(problemMessages(await proposals.withdraw(acme.id, id, another))[0]).toMatch(/another assistant/)
  requireDone(await proposals.withdraw(acme.id, id, assistant))
  expect(problemMessages(await proposals.withdraw(acme.id, id, assistant))).toEqual([
    'The proposal was withdrawn.',
  ])
})

test('a project has at most a hundred open proposals', async () => {
  const { acme, assistant, propose, proposals } = await aProposingAssistant()
  for (let i = 0; i < 100; i++) await propose('archive_flag', { flag: 'new-price' })
  const more = await proposals.request(acme.id, 'archive_flag', { flag: 'new-price' }, assistant)

  expect(problemMessages(more)[0]).toMatch(/^100 proposals are open already/)
})

test.each<[string, object, RegExp]>([
  ['change_flag', { flag: 'none', ...on }, /no such flag/],
  ['change_flag', { flag: 'new-price' }, /like this already/],
  ['change_flag', { flag: 'new-price', isSecret: true }, /isSecret/],
  ['create_flag', { key: 'new-price' }, /already/],
  ['create_flag', { key: "x'; drop table flags; --" }, /./],
  ['archive_flag', { flag: '__proto__' }, /reserved/],
  ['drop_flags', {}, /no such change/],
])('%s of %j is refused in words', async (change, input, words) => {
  const { acme, assistant, proposals } = await aProposingAssistant()
  expect(problemMessages(await proposals.request(acme.id, change, input, assistant)).join(' ')).toMatch(words)
  expect(await proposals.list(acme.id, operator())).toEqual([])
})
