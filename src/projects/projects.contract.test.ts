import { describe, expect, test, vi } from 'vitest'
import {
  openTestProduct,
  requireDone,
  type TestProduct,
  problemMessages,
  password,
  present,
  testOrigin,
} from '#test/product/fixture'
import { describeOnPostgres } from '#test/outside/postgres'
import { patienceMs } from '#test/running/patience'
import { operator, scopes } from './access'

/** The whole room on either form of the store, in one life: what differs between the two shows here. */
function aLifeOf(begin: () => Promise<TestProduct>): void {
  test('from set-up to archive', async () => {
    const { product, world, anotherProcess, aMember, signedIn } = await begin()
    const form = { email: 'ana@acme.example', name: 'Ana Berg', password, project: 'Acme' }
    const code = await product.signIn.setup.newCode()
    const { member: ana, project: acme } = requireDone(
      await product.signIn.setup.complete({ ...form, code }, testOrigin),
    )
    const { token } = requireDone(await product.signIn.signIn(form, testOrigin))
    const viewer = present(await product.signIn.sessions.viewer(token, testOrigin))
    expect(viewer).toMatchObject({ memberId: ana.id, roles: new Map([[acme.id, 'owner']]) })

    const ben = await aMember({ role: 'editor', name: 'Ben Cole' })
    requireDone(await product.projects.members.changeRole(acme.id, ben.id, { role: 'viewer' }, viewer))
    expect(
      problemMessages(await product.projects.members.changeAccount({ email: ben.email }, viewer)),
    ).toEqual(['Another member already uses this e-mail address.'])
    const { text, key } = requireDone(
      await product.projects.keys.create(acme.id, { name: 'CI', scopes: 'every', days: 30 }, viewer),
    )
    expect(present(await product.projects.keys.viewer(text, testOrigin)).scopes).toEqual(new Set(scopes))
    requireDone(await product.projects.keys.revoke(acme.id, key.id, viewer))

    const second = requireDone(await product.projects.create({ name: 'Acme' }, viewer)).project
    expect(second).toMatchObject({ id: acme.id + 1, slug: 'acme-2' })
    expect(
      problemMessages(await product.projects.change(second.id, { slug: 'acme' }, await signedIn(ana))),
    ).toEqual(['Another project already has this URL slug. Choose another.'])
    const other = await anotherProcess()
    requireDone(await product.projects.archive(second.id, await signedIn(ana)))
    await vi.waitFor(() => expect(other.projects.named(second.writeKey)).toBeUndefined(), {
      timeout: patienceMs,
      interval: 20,
    })

    world.advance('8 days')
    expect(await product.signIn.sessions.viewer(token, testOrigin)).toBeUndefined()
    expect(await product.projects.audit.firstBrokenLink()).toBeUndefined()
    const log = await product.projects.audit.list(acme.id, { size: 100 }, operator())
    expect(log.map(({ action }) => action).toReversed()).toEqual([
      'project.create',
      'member.join',
      'sign-in',
      'invitation.create',
      'member.join',
      'member.role',
      'key.create',
      'key.revoke',
      'sign-in',
      'sign-in',
    ])
  })

  test('the code that either of two first starts has printed works, until one is used', async () => {
    const { product, anotherProcess } = await begin()
    const other = await anotherProcess()
    const [first, second] = await Promise.all([product.signIn.setup.newCode(), other.signIn.setup.newCode()])
    const form = { email: 'ana@acme.example', name: 'Ana Berg', password, project: 'Acme' }

    requireDone(await other.signIn.setup.complete({ ...form, code: first }, testOrigin))
    expect(
      problemMessages(await product.signIn.setup.complete({ ...form, code: second }, testOrigin)),
    ).toEqual(['Tilth has been set up already. Sign in instead.'])
  })

  test('one owner, one project and one link’s guest, however many come at once', async () => {
    const { product, anotherProcess } = await begin()
    const other = await anotherProcess()
    const code = await product.signIn.setup.newCode()
    const form = { name: 'Ana Berg', password, project: 'Acme', code }
    const founding = [product, other].map((process, person) =>
      process.signIn.setup.complete({ ...form, email: `person-${person}@acme.example` }, testOrigin),
    )
    expect((await Promise.all(founding)).filter((outcome) => outcome.done)).toHaveLength(1)

    const { token } = requireDone(
      await product.projects.invitations.create(1, { role: 'viewer' }, operator()),
    )
    const entering = [product, other, product, other].map((process, guest) =>
      process.projects.invitations.acceptAsNew(
        token,
        { ...form, email: `guest-${guest}@acme.example` },
        testOrigin,
      ),
    )
    expect((await Promise.all(entering)).filter((outcome) => outcome.done)).toHaveLength(1)
    expect(await product.projects.members.list(1, operator())).toHaveLength(2)

    const creating = [product, other, product, other].map((process) =>
      process.projects.create({ name: 'Acme' }, operator()),
    )
    expect(
      (await Promise.all(creating)).map((outcome) => requireDone(outcome).project.slug).toSorted(),
    ).toEqual(['acme-2', 'acme-3', 'acme-4', 'acme-5'])
    expect(await product.projects.audit.firstBrokenLink()).toBeUndefined()
  })

  test('wrong passwords are counted and waited for', async () => {
    const { product, world, aProject, aMember } = await begin()
    await aProject()
    const { email } = await aMember()
    const guess = (given: string) => product.signIn.signIn({ email, password: given }, testOrigin)
    await Promise.all(Array.from({ length: 5 }, () => guess('wrong')))

    expect(problemMessages(await guess(password))).toEqual([
      'Too many wrong passwords. Wait 1 second and try again.',
    ])
    world.advance('1 second')
    requireDone(await guess(password))
  })
}

describe('members and projects in a file', () => aLifeOf(() => openTestProduct()))

describeOnPostgres('members and projects', (emptyDatabase) =>
  aLifeOf(async () => openTestProduct({ url: await emptyDatabase() })),
)
