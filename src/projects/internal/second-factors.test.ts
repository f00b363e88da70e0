import { describe, expect, test } from 'vitest'
import {
  openTestProduct,
  anApp,
  requireDone,
  requireSignedIn,
  problemMessages,
  password,
  present,
  testOrigin,
} from '#test/product/fixture'
import { operator } from '../access'

/** Ana, who owns Acme, with an authenticator app. */
async function anaWithApp() {
  const fixture = await openTestProduct()
  const acme = await fixture.aProject()
  const ana = await fixture.aMember({ role: 'owner' })
  const viewer = await fixture.signedIn(ana)
  const { product, world } = fixture
  const app = await anApp(fixture, viewer)
  world.advance('1 minute')
  const firstStep = async () =>
    requireDone(await product.signIn.signIn({ email: ana.email, password }, testOrigin))
  const secondStep = async () => present((await firstStep()).step).token
  const finish = (step: string, code: string, source = {}) =>
    product.signIn.finish(step, { code }, testOrigin, source)
  return { ...fixture, acme, ana, viewer, app, firstStep, secondStep, finish }
}

const wrong = ['This code is wrong, or has been used.']

describe('a member with an authenticator app', () => {
  test('gets no session for the password alone', async () => {
    const { product, firstStep } = await anaWithApp()
    const way = await firstStep()

    expect(way.token).toBeUndefined()
    expect(await product.signIn.sessions.viewer(way.step?.token, testOrigin)).toBeUndefined()
  })

  test('gets one for the code that the app shows, once', async () => {
    const { product, app, secondStep, finish, ana } = await anaWithApp()
    const code = app.code()
    const [step, another] = [await secondStep(), await secondStep()]
    const { token } = requireDone(await finish(step, code))

    expect(await product.signIn.sessions.viewer(token, testOrigin)).toMatchObject({ memberId: ana.id })
    expect(problemMessages(await finish(another, code))).toEqual(wrong)
  })

  test.each<[string, number, boolean]>([
    ['of the step before', -30, true],
    ['of the step after', 30, true],
    ['of two steps ago', -60, false],
    ['of two steps ahead', 60, false],
  ])('may give a code %s: %j', async (_, seconds, isRight) => {
    const { app, world, secondStep, finish } = await anaWithApp()
    world.advance('5 minutes')
    const now = world.now()
    world.advance(`${seconds} seconds`)
    const code = app.code()
    world.advance(`${-seconds} seconds`)

    expect(world.now()).toEqual(now)
    expect((await finish(await secondStep(), code)).done).toBe(isRight)
  })

  test('cannot use an earlier code after a later one', async () => {
    const { app, world, secondStep, finish } = await anaWithApp()
    const earlier = app.code()
    world.advance('30 seconds')
    requireDone(await finish(await secondStep(), app.code()))

    expect(problemMessages(await finish(await secondStep(), earlier))).toEqual(wrong)
  })

  test('gets in with each recovery code once, in any case and without dashes', async () => {
    const { app, secondStep, finish, product, viewer } = await anaWithApp()
    const [first = '', second = ''] = app.recoveryCodes
    expect(app.recoveryCodes).toHaveLength(10)
    expect(new Set(app.recoveryCodes).size).toBe(10)
    requireDone(await finish(await secondStep(), first.toLowerCase().replaceAll('-', '')))

    expect(problemMessages(await finish(await secondStep(), first))).toEqual(wrong)
    requireDone(await finish(await secondStep(), second))
    expect((await product.signIn.secondFactors.status(viewer)).recoveryCodesLeft).toBe(8)
  })

  test('gets new recovery codes, and the old ones open nothing', async () => {
    const { app, secondStep, finish, product, viewer } = await anaWithApp()
    const { recoveryCodes } = requireDone(await product.signIn.secondFactors.renewRecoveryCodes(viewer))

    expect(problemMessages(await finish(await secondStep(), app.recoveryCodes[0] ?? ''))).toEqual(wrong)
    requireDone(await finish(await secondStep(), recoveryCodes[0] ?? ''))
  })

  test('is guessed at in vain: after ten wrong codes from anywhere, the right one waits, but not on a known device', async () => {
    const { app, product, world, ana, finish, secondStep } = await anaWithApp()
    const known = { address: '192.0.2.1' }
    const { device } = requireDone(await finish(await secondStep(), app.code(), known))
    world.advance('1 minute')
    const step = await secondStep()
    for (let address = 0; address < 10; address++)
      expect(problemMessages(await finish(step, '000000', { address: `198.51.100.${address}` }))).toEqual(
        wrong,
      )

    expect(problemMessages(await finish(step, app.code(), { address: '203.0.113.1' }))[0]).toMatch(
      /^Too many/,
    )
    const source = { ...known, device: device.text }
    const way = requireDone(await product.signIn.signIn({ email: ana.email, password }, testOrigin, source))
    requireDone(await finish(present(way.step).token, app.code(), source))
  })

  test('has ten minutes for the second step, and one session for one step', async () => {
    const { app, world, secondStep, finish } = await anaWithApp()
    const [late, used] = [await secondStep(), await secondStep()]
    requireDone(await finish(used, app.code()))
    expect(problemMessages(await finish(used, app.recoveryCodes[0] ?? ''))).toEqual([
      'This took too long. Sign in again.',
    ])
    world.advance('10 minutes')
    expect(problemMessages(await finish(late, app.code()))).toEqual(['This took too long. Sign in again.'])
  })

  test('is asked for the second factor after a reset of the password, too', async () => {
    const { product, ana, app, world } = await anaWithApp()
    const { token } = requireDone(await product.signIn.passwordResets.makeLink(ana.email, operator()))
    const chosen = 'harbour thistle clock'
    requireDone(await product.signIn.passwordResets.complete(token, { password: chosen }, testOrigin))
    world.advance('1 minute')
    const way = requireDone(await product.signIn.signIn({ email: ana.email, password: chosen }, testOrigin))

    expect(way.token).toBeUndefined()
    requireDone(await product.signIn.finish(present(way.step).token, { code: app.code() }, testOrigin))
  })

  test('has lost it: the machine’s owner removes it, and every session ends', async () => {
    const { product, ana, viewer } = await anaWithApp()
    await expect(product.signIn.secondFactors.reset(ana.email, viewer)).resolves.toMatchObject({
      done: false,
    })
    requireDone(await product.signIn.secondFactors.reset(ana.email, operator()))

    requireSignedIn(await product.signIn.signIn({ email: ana.email, password }, testOrigin))
    expect(requireDone(await product.signIn.sessions.listOf(ana.email, operator())).sessions).toHaveLength(1)
  })
})

test('a change of factors ends the other sessions, and keeps this one', async () => {
  const fixture = await openTestProduct()
  await fixture.aProject()
  const ana = await fixture.aMember()
  const [here] = [await fixture.signedIn(ana), await fixture.signedIn(ana)]
  await anApp(fixture, here)
  const left = await fixture.product.signIn.sessions.list(here)

  expect(left.map(({ id }) => id)).toEqual([here.sessionId])
  expect(left[0]?.hasSecondFactor).toBe(true)
})

test('factors are changed with a recent password only', async () => {
  const { product, viewer, world } = await anaWithApp()
  world.advance('10 minutes')
  const changes = [
    () => product.signIn.secondFactors.beginApp(viewer),
    () => product.signIn.secondFactors.removeApp(viewer),
    () => product.signIn.secondFactors.renewRecoveryCodes(viewer),
    () => product.signIn.passkeys.beginRegistration(viewer),
    () => product.signIn.passkeys.remove('x', viewer),
    () => product.signIn.rules.change({ requireSecondFactor: true }, viewer),
  ]
  for (const change of changes) await expect(change()).rejects.toMatchObject({ reason: 'confirm-password' })
})

test('secrets and recovery codes are in no file of the store', async () => {
  const { app, database, product, viewer } = await anaWithApp()
  requireDone(await product.signIn.secondFactors.removeApp(viewer))
  const { secret } = requireDone(await product.signIn.secondFactors.beginApp(viewer))
  const rows = database((file) => [
    ...file.prepare('select * from totp_factors').all(),
    ...file.prepare('select * from recovery_codes').all(),
    ...file.prepare('select * from audit').all(),
  ])

  expect(JSON.stringify(rows)).not.toContain(secret)
  for (const code of app.recoveryCodes) expect(JSON.stringify(rows)).not.toContain(code)
})

describe('a project that asks for a second factor', () => {
  async function aStrictProject() {
    const fixture = await openTestProduct()
    const acme = await fixture.aProject()
    const other = await fixture.aProject({ name: 'Other' })
    const owner = await fixture.signedIn(await fixture.aMember({ role: 'owner', name: 'Olga Owner' }))
    const ben = await fixture.aMember({ role: 'editor', name: 'Ben Cole' })
    await fixture.product.signIn.rules.changeProject(acme.id, { requireSecondFactor: true }, operator())
    return { ...fixture, acme, other, owner, ben }
  }

  test('is closed to a member without one, and to no key', async () => {
    const { product, acme, ben, signedIn } = await aStrictProject()
    const viewer = await signedIn(ben)

    expect(() => product.projects.find(acme.slug, viewer)).toThrow('second factor')
    expect(product.projects.list(viewer)).toEqual([])
    await expect(product.projects.members.list(acme.id, viewer)).rejects.toMatchObject({
      reason: 'second-factor',
    })
    const key = requireDone(
      await product.projects.keys.create(acme.id, { name: 'CI', scopes: 'every' }, operator()),
    )
    const program = present(await product.projects.keys.viewer(key.text, testOrigin))
    expect(product.projects.find(acme.slug, program).id).toBe(acme.id)
  })

  test('opens in the session in which one is set up', async () => {
    const fixture = await aStrictProject()
    const { token } = await fixture.product.signIn.welcome(fixture.ben, testOrigin)
    const viewer = async () => present(await fixture.product.signIn.sessions.viewer(token, testOrigin))
    await anApp(fixture, await viewer())

    expect(fixture.product.projects.find(fixture.acme.slug, await viewer()).id).toBe(fixture.acme.id)
  })

  test('can be every project of the installation, by the owner of them all and no one else', async () => {
    const { product, world, aMember, other, owner, signedIn, acme } = await aStrictProject()
    await expect(product.signIn.rules.change({ requireSecondFactor: true }, owner)).rejects.toMatchObject({
      reason: 'not-allowed',
    })
    requireDone(await product.signIn.rules.change({ requireSecondFactor: true }, operator()))
    const viewer = await signedIn(await aMember({ project: other, name: 'Carl Dorn', role: 'owner' }))

    expect(viewer.closedProjects).toEqual(new Set([other.id]))
    expect(acme.id).not.toBe(other.id)
    expect(world.now()).toBeInstanceOf(Date)
  })
})
