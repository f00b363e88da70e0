import { describe, expect, test } from 'vitest'
import {
  openTestProduct,
  requireDone,
  type TestProduct,
  problemMessages,
  present,
  type Span,
  testOrigin,
} from '#test/product/fixture'
import { type MemberViewer, operator, type RequestOrigin } from '../access'
import type { Member } from '../members'

const elsewhere: RequestOrigin = { address: '198.51.100.0/24', client: 'Safari on iOS', requestId: 'req-2' }

/** A project and a member of it. */
async function aMemberSignsIn(): Promise<
  TestProduct & { ana: Member; token: string; isIn: () => Promise<boolean> }
> {
  const fixture = await openTestProduct()
  await fixture.aProject()
  const ana = await fixture.aMember()
  const { token } = await fixture.product.signIn.welcome(ana, testOrigin)
  const isIn = async () => (await fixture.product.signIn.sessions.viewer(token, testOrigin)) !== undefined
  return { ...fixture, ana, token, isIn }
}

type Begun = Awaited<ReturnType<typeof aMemberSignsIn>> & { viewer: MemberViewer }

describe('a session', () => {
  test('says who holds its token, and since when', async () => {
    const { product, world, ana, token } = await aMemberSignsIn()
    const began = world.now()
    world.advance('1 hour')

    expect(await product.signIn.sessions.viewer(token, elsewhere)).toEqual({
      kind: 'member',
      memberId: ana.id,
      name: ana.name,
      email: ana.email,
      sessionId: expect.any(String),
      authenticatedAt: began,
      roles: new Map([[1, 'viewer']]),
      origin: elsewhere,
    })
  })

  test.each([[undefined], [''], ['x'], ['x'.repeat(100_000)], ["' or 1=1 --"], ['\0']])(
    'is no one’s for the token %j',
    async (token) => {
      const { product } = await aMemberSignsIn()

      expect(await product.signIn.sessions.viewer(token, testOrigin)).toBeUndefined()
    },
  )

  test.each<[string, (begun: Begun) => unknown, string?]>([
    ['that never began', () => {}, ''],
    ['with a forged token', () => {}, 'forged'],
    ['that expired', ({ world }) => world.advance('8 days')],
    ['that its member signed out of', ({ product, viewer }) => product.signIn.sessions.end(viewer)],
    [
      'that its member revoked',
      ({ product, viewer }) => product.signIn.sessions.revoke(viewer.sessionId, viewer),
    ],
    [
      'that the operator ended',
      ({ product, ana }) => product.signIn.sessions.endOf(ana.email, undefined, operator()),
    ],
    [
      'from before the password was reset',
      ({ product, ana }) =>
        product.projects.members.resetPassword(ana.email, { password: 'harbour velvet onion' }, operator()),
    ],
    [
      'of a removed account',
      ({ database }) => database((file) => file.exec('pragma foreign_keys = on; delete from members')),
    ],
  ])('%s has no viewer', async (_, end, sent) => {
    const product = await aMemberSignsIn()
    const viewer = present(await product.product.signIn.sessions.viewer(product.token, testOrigin))
    await end({ ...product, viewer })
    const last = product.token.endsWith('A') ? 'B' : 'A'
    const token = sent === 'forged' ? product.token.slice(0, -1) + last : (sent ?? product.token)

    expect(await product.product.signIn.sessions.viewer(token, testOrigin)).toBeUndefined()
  })

  test('of a member who was removed from a project has no role in it', async () => {
    const { product, ana, token } = await aMemberSignsIn()
    const project = present(product.projects.list(operator())[0])
    requireDone(await product.projects.members.remove(project.id, ana.id, operator()))
    const viewer = present(await product.signIn.sessions.viewer(token, testOrigin))

    expect([...viewer.roles]).toEqual([])
    expect(() => product.projects.find(project.slug, viewer)).toThrow('There is no such project.')
  })

  test('cannot be opened with the stored hash of its token', async () => {
    const { product, database } = await aMemberSignsIn()
    const kept = database((file) => file.prepare('select id, token_hash from sessions').get())

    expect(await product.signIn.sessions.viewer(String(kept?.['token_hash']), testOrigin)).toBeUndefined()
    expect(await product.signIn.sessions.viewer(String(kept?.['id']), testOrigin)).toBeUndefined()
  })

  test.each<[Span[], boolean]>([
    [['6 days'], true],
    [['7 days'], false],
    [['8 days'], false],
    // used in between
    [['6 days', '6 days'], true],
    [['6 days', '6 days', '6 days', '6 days', '5 days'], true],
    [['6 days', '6 days', '6 days', '6 days', '6 days'], false],
    [['6 days', '7 days'], false],
  ])('looked at after %j is still there: %j', async (looks, expected) => {
    const { world, isIn } = await aMemberSignsIn()
    for (const span of looks.slice(0, -1)) {
      world.advance(span)
      expect(await isIn()).toBe(true)
    }
    world.advance(present(looks.at(-1)))

    expect(await isIn()).toBe(expected)
  })

  test('that is over does not come back when used', async () => {
    const { world, isIn } = await aMemberSignsIn()
    world.advance('7 days')
    await isIn()

    expect(await isIn()).toBe(false)
  })

  test('of a deleted member is over', async () => {
    const { database, isIn } = await aMemberSignsIn()
    database((file) => file.exec('pragma foreign_keys = on; delete from members'))

    expect(await isIn()).toBe(false)
  })

  test('is not written down for every request', async () => {
    const { world, database, isIn } = await aMemberSignsIn()
    const seenAt = () => database((file) => file.prepare('select seen_at from sessions').get())?.['seen_at']
    const began = seenAt()
    world.advance('4 minutes')
    await isIn()
    expect(seenAt()).toBe(began)
    world.advance('1 minute')
    await isIn()
    expect(seenAt()).toBe(world.now().toISOString())
  })

  test('that is over is deleted at the next sign-in', async () => {
    const { product, world, ana, database } = await aMemberSignsIn()
    world.advance('8 days')
    await product.signIn.welcome(ana, testOrigin)

    expect(database((file) => file.prepare('select count(*) as left from sessions').get())).toEqual({
      left: 1,
    })
  })

  test('has a token of its own every time', async () => {
    const { product, ana, token } = await aMemberSignsIn()
    const again = await product.signIn.welcome(ana, testOrigin)

    expect(again.token).not.toBe(token)
    expect(again.token).toMatch(/^[0-9A-Za-z]{43}$/)
  })

  test('ends where it was begun, whichever process is asked', async () => {
    const { anotherProcess, product, token } = await aMemberSignsIn()
    const other = await anotherProcess()
    const viewer = present(await other.signIn.sessions.viewer(token, testOrigin))
    await other.signIn.sessions.end(viewer)

    expect(await product.signIn.sessions.viewer(token, testOrigin)).toBeUndefined()
  })
})

describe('the list of sessions', () => {
  test('shows one’s own that are not over, the last used first, without anything that opens one', async () => {
    const { product, world, ana, token, aMember } = await aMemberSignsIn()
    await product.signIn.welcome(await aMember({ name: 'Ben Cole' }), testOrigin)
    world.advance('6 days')
    const viewer = present(await product.signIn.sessions.viewer(token, testOrigin))
    world.advance('1 hour')
    await product.signIn.welcome(ana, elsewhere)
    const listed = await product.signIn.sessions.list(viewer)

    expect(listed.map(({ client, address }) => [client, address])).toEqual([
      ['Safari on iOS', '198.51.100.0/24'],
      ['Firefox on Linux', '203.0.113.0/24'],
    ])
    expect(JSON.stringify(listed)).not.toContain(token)
    world.advance('7 days')
    expect(await product.signIn.sessions.list(viewer)).toEqual([])
  })

  test('loses the one that is revoked, and no other', async () => {
    const { product, ana, signedIn, isIn } = await aMemberSignsIn()
    const viewer = await signedIn(ana, elsewhere)
    const others = (await product.signIn.sessions.list(viewer)).filter(({ id }) => id !== viewer.sessionId)
    requireDone(await product.signIn.sessions.revoke(present(others[0]).id, viewer))

    expect(await isIn()).toBe(false)
    expect(await product.signIn.sessions.list(viewer)).toHaveLength(1)
    expect(problemMessages(await product.signIn.sessions.revoke(present(others[0]).id, viewer))).toEqual([
      'This session has already ended.',
    ])
  })

  test('loses all but this one at once', async () => {
    const { product, ana, signedIn, isIn } = await aMemberSignsIn()
    await signedIn(ana)
    const viewer = await signedIn(ana, elsewhere)
    requireDone(await product.signIn.sessions.revokeOthers(viewer))

    expect(await isIn()).toBe(false)
    expect((await product.signIn.sessions.list(viewer)).map(({ id }) => id)).toEqual([viewer.sessionId])
  })

  test('is closed to everyone else, an owner included', async () => {
    const { product, ana, aMember, signedIn, isIn } = await aMemberSignsIn()
    const [session] = await product.signIn.sessions.list(await signedIn(ana))
    const owner = await signedIn(await aMember({ role: 'owner', name: 'Ben Cole' }))

    expect(problemMessages(await product.signIn.sessions.revoke(present(session).id, owner))).toEqual([
      'This session has already ended.',
    ])
    requireDone(await product.signIn.sessions.revokeOthers(owner))
    expect(await isIn()).toBe(true)
  })
})

test('signing out ends this session alone', async () => {
  const { product, ana, token, signedIn, isIn } = await aMemberSignsIn()
  const other = await signedIn(ana)
  await product.signIn.sessions.end(other)

  expect(await isIn()).toBe(true)
  await product.signIn.sessions.end(present(await product.signIn.sessions.viewer(token, testOrigin)))
  expect(await isIn()).toBe(false)
})
