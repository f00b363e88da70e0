import { describe, expect, test } from 'vitest'
import { aGround, done, type Ground, objections, present, type Span, somewhere } from '../../test/ground'
import type { Origin } from './access'
import type { Member } from './members'

const elsewhere: Origin = { address: '198.51.100.0/24', client: 'Safari on iOS', requestId: 'req-2' }

/** A project and a member of it. */
async function aMemberSignsIn(): Promise<
  Ground & { ana: Member; token: string; isIn: () => Promise<boolean> }
> {
  const ground = await aGround()
  await ground.aProject()
  const ana = await ground.aMember()
  const { token } = await ground.product.signIn.welcome(ana, somewhere)
  const isIn = async () => (await ground.product.sessions.viewer(token, somewhere)) !== undefined
  return { ...ground, ana, token, isIn }
}

describe('a session', () => {
  test('says who holds its token, and since when', async () => {
    const { product, world, ana, token } = await aMemberSignsIn()
    const began = world.now()
    world.advance('1 hour')

    expect(await product.sessions.viewer(token, elsewhere)).toEqual({
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
    'is nobody’s for the token %j',
    async (token) => {
      const { product } = await aMemberSignsIn()

      expect(await product.sessions.viewer(token, somewhere)).toBeUndefined()
    },
  )

  test('is nobody’s for what is kept of its token', async () => {
    const { product, database } = await aMemberSignsIn()
    const kept = database((file) => file.prepare('select id, token_hash from sessions').get())

    expect(await product.sessions.viewer(String(kept?.['token_hash']), somewhere)).toBeUndefined()
    expect(await product.sessions.viewer(String(kept?.['id']), somewhere)).toBeUndefined()
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

  test('of a member who is gone is over', async () => {
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

  test('that is over is forgotten when somebody signs in', async () => {
    const { product, world, ana, database } = await aMemberSignsIn()
    world.advance('8 days')
    await product.signIn.welcome(ana, somewhere)

    expect(database((file) => file.prepare('select count(*) as left from sessions').get())).toEqual({
      left: 1,
    })
  })

  test('has a token of its own every time', async () => {
    const { product, ana, token } = await aMemberSignsIn()
    const again = await product.signIn.welcome(ana, somewhere)

    expect(again.token).not.toBe(token)
    expect(again.token).toMatch(/^[0-9A-Za-z]{43}$/)
  })

  test('ends where it was begun, whichever process is asked', async () => {
    const { anotherProcess, product, token } = await aMemberSignsIn()
    const other = await anotherProcess()
    const viewer = present(await other.sessions.viewer(token, somewhere))
    await other.sessions.end(viewer)

    expect(await product.sessions.viewer(token, somewhere)).toBeUndefined()
  })
})

describe('the list of sessions', () => {
  test('shows one’s own that are not over, the last used first, without anything that opens one', async () => {
    const { product, world, ana, token, aMember } = await aMemberSignsIn()
    await product.signIn.welcome(await aMember({ name: 'Ben Cole' }), somewhere)
    world.advance('6 days')
    const viewer = present(await product.sessions.viewer(token, somewhere))
    world.advance('1 hour')
    await product.signIn.welcome(ana, elsewhere)
    const listed = await product.sessions.list(viewer)

    expect(listed.map(({ client, address }) => [client, address])).toEqual([
      ['Safari on iOS', '198.51.100.0/24'],
      ['Firefox on Linux', '203.0.113.0/24'],
    ])
    expect(JSON.stringify(listed)).not.toContain(token)
    world.advance('7 days')
    expect(await product.sessions.list(viewer)).toEqual([])
  })

  test('loses the one that is revoked, and no other', async () => {
    const { product, ana, signedIn, isIn } = await aMemberSignsIn()
    const viewer = await signedIn(ana, elsewhere)
    const others = (await product.sessions.list(viewer)).filter(({ id }) => id !== viewer.sessionId)
    done(await product.sessions.revoke(present(others[0]).id, viewer))

    expect(await isIn()).toBe(false)
    expect(await product.sessions.list(viewer)).toHaveLength(1)
    expect(objections(await product.sessions.revoke(present(others[0]).id, viewer))).toEqual([
      'This session has already ended.',
    ])
  })

  test('loses all but this one at once', async () => {
    const { product, ana, signedIn, isIn } = await aMemberSignsIn()
    await signedIn(ana)
    const viewer = await signedIn(ana, elsewhere)
    done(await product.sessions.revokeOthers(viewer))

    expect(await isIn()).toBe(false)
    expect((await product.sessions.list(viewer)).map(({ id }) => id)).toEqual([viewer.sessionId])
  })

  test('is closed to everybody else, an owner included', async () => {
    const { product, ana, aMember, signedIn, isIn } = await aMemberSignsIn()
    const [session] = await product.sessions.list(await signedIn(ana))
    const owner = await signedIn(await aMember({ role: 'owner', name: 'Ben Cole' }))

    expect(objections(await product.sessions.revoke(present(session).id, owner))).toEqual([
      'This session has already ended.',
    ])
    done(await product.sessions.revokeOthers(owner))
    expect(await isIn()).toBe(true)
  })
})

test('signing out ends this session alone', async () => {
  const { product, ana, token, signedIn, isIn } = await aMemberSignsIn()
  const other = await signedIn(ana)
  await product.sessions.end(other)

  expect(await isIn()).toBe(true)
  await product.sessions.end(present(await product.sessions.viewer(token, somewhere)))
  expect(await isIn()).toBe(false)
})
