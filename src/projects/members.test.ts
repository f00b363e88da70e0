import { describe, expect, test } from 'vitest'
import {
  openTestProduct,
  requireDone,
  problemMessages,
  password,
  present,
  testOrigin,
} from '#test/product/fixture'
import type { Product } from '#server/product'
import { operator, type Role } from './access'

const needsAnOwner = 'A project needs an owner. Make another member an owner first.'
const newPassword = 'harbour thistle clock'

describe('the last owner', () => {
  test.each<[string, Role | 'leaves']>([
    ['cannot leave', 'leaves'],
    ['cannot become an admin', 'admin'],
    ['cannot become a viewer', 'viewer'],
  ])('%s', async (_, what) => {
    const { product, aProject, aMember, signedIn } = await openTestProduct()
    const acme = await aProject()
    const ana = await aMember({ role: 'owner' })
    await aMember({ role: 'admin', name: 'Ben Cole' })
    const viewer = await signedIn(ana)
    const outcome =
      what === 'leaves'
        ? await product.projects.members.remove(acme.id, ana.id, viewer)
        : await product.projects.members.changeRole(acme.id, ana.id, { role: what }, viewer)

    expect(outcome).toEqual({ done: false, problems: [{ field: 'role', message: needsAnOwner }] })
    expect(await rolesIn(product, acme.id)).toEqual({ 'Ana Berg': 'owner', 'Ben Cole': 'admin' })
  })

  test('cannot be removed by the operator either', async () => {
    const { product, aProject, aMember } = await openTestProduct()
    const acme = await aProject()
    const ana = await aMember({ role: 'owner' })

    expect(problemMessages(await product.projects.members.remove(acme.id, ana.id, operator()))).toEqual([
      needsAnOwner,
    ])
  })

  test('stays one when given the same role again', async () => {
    const { product, aProject, aMember, signedIn } = await openTestProduct()
    const acme = await aProject()
    const ana = await aMember({ role: 'owner' })

    requireDone(
      await product.projects.members.changeRole(acme.id, ana.id, { role: 'owner' }, await signedIn(ana)),
    )
  })

  test('is not left behind when two owners leave at once', async () => {
    const { product, aProject, aMember, signedIn } = await openTestProduct()
    const acme = await aProject()
    const owners = [await aMember({ role: 'owner' }), await aMember({ role: 'owner', name: 'Ben Cole' })]
    const leaving = owners.map(async (owner) =>
      product.projects.members.remove(acme.id, owner.id, await signedIn(owner)),
    )
    const outcomes = await Promise.all(leaving)

    expect(outcomes.filter((outcome) => outcome.done)).toHaveLength(1)
    expect(Object.values(await rolesIn(product, acme.id))).toEqual(['owner'])
  })

  test('of one project says nothing about another', async () => {
    const { product, aProject, aMember, signedIn } = await openTestProduct()
    const acme = await aProject()
    const other = await aProject({ name: 'Other' })
    const ana = await aMember({ role: 'owner' })
    await aMember({ role: 'owner', project: other, name: 'Ben Cole' })

    expect(
      problemMessages(await product.projects.members.remove(acme.id, ana.id, await signedIn(ana))),
    ).toEqual([needsAnOwner])
  })
})

describe('a role', () => {
  test('holds from the very next request', async () => {
    const { product, aProject, aMember } = await openTestProduct()
    const acme = await aProject()
    const ana = await aMember({ role: 'viewer' })
    const { token } = await product.signIn.welcome(ana, testOrigin)
    requireDone(await product.projects.members.changeRole(acme.id, ana.id, { role: 'admin' }, operator()))
    const asAdmin = present(await product.signIn.sessions.viewer(token, testOrigin))
    requireDone(await product.projects.members.remove(acme.id, ana.id, operator()))
    const asNobody = present(await product.signIn.sessions.viewer(token, testOrigin))

    expect([...asAdmin.roles]).toEqual([[acme.id, 'admin']])
    expect([...asNobody.roles]).toEqual([])
    expect(product.projects.list(asNobody)).toEqual([])
  })

  test.each(['viewer', 'editor', 'admin'] as const)('of %s may be given up by leaving', async (role) => {
    const { product, aProject, aMember, signedIn } = await openTestProduct()
    const acme = await aProject()
    const ana = await aMember({ role })
    requireDone(await product.projects.members.remove(acme.id, ana.id, await signedIn(ana)))

    expect(await rolesIn(product, acme.id)).toEqual({})
  })

  test('cannot be changed where there is none', async () => {
    const { product, aProject, aMember } = await openTestProduct()
    await aProject()
    const other = await aProject({ name: 'Other' })
    const ana = await aMember()

    expect(
      problemMessages(
        await product.projects.members.changeRole(other.id, ana.id, { role: 'admin' }, operator()),
      ),
    ).toEqual(['This member does not belong to the project any more.'])
  })

  test.each([['boss'], [''], [undefined], [['owner']], ['OWNER']])('called %j is not one', async (role) => {
    const { product, aProject, aMember } = await openTestProduct()
    const acme = await aProject()
    const ana = await aMember()

    expect(await product.projects.members.changeRole(acme.id, ana.id, { role }, operator())).toEqual({
      done: false,
      problems: [{ field: 'role', message: 'Choose one of owner, admin, editor, viewer.' }],
    })
  })

  test('that a newer version brought gives no rights here', async () => {
    const { aProject, aMember, signedIn, database } = await openTestProduct()
    const acme = await aProject()
    const ana = await aMember({ role: 'owner' })
    const viewer = await signedIn(ana)
    database((tables) => tables.exec(`update memberships set role = 'auditor'`))
    const again = await signedIn(ana)

    expect(viewer.roles.get(acme.id)).toBe('owner')
    expect(again.roles.get(acme.id)).toBeUndefined()
  })
})

describe('an account', () => {
  test('changes its name and address, and signs in with the new one', async () => {
    const { product, aProject, aMember, signedIn } = await openTestProduct()
    await aProject()
    const viewer = await signedIn(await aMember())
    requireDone(
      await product.projects.members.changeAccount(
        { name: ' Ana Maria ', email: ' Ana@New.Example ' },
        viewer,
      ),
    )

    requireDone(await product.signIn.signIn({ email: 'ana@new.example', password }, testOrigin))
    expect(
      problemMessages(await product.signIn.signIn({ email: viewer.email, password }, testOrigin)),
    ).toEqual(['The address or the password is wrong.'])
  })

  test('may be sent back unchanged, or with nothing in it', async () => {
    const { product, aProject, aMember, signedIn } = await openTestProduct()
    const acme = await aProject()
    const ana = await aMember()
    const viewer = await signedIn(ana)
    for (const input of [{}, { name: undefined, email: undefined }, { name: ana.name, email: ana.email }]) {
      requireDone(await product.projects.members.changeAccount(input, viewer))
    }

    expect((await product.projects.members.list(acme.id, viewer)).map(({ member }) => member)).toEqual([ana])
  })

  test('cannot take the address of another', async () => {
    const { product, aProject, aMember, signedIn } = await openTestProduct()
    await aProject()
    const ben = await aMember({ name: 'Ben Cole' })
    const viewer = await signedIn(await aMember())

    expect(await product.projects.members.changeAccount({ email: ben.email.toUpperCase() }, viewer)).toEqual({
      done: false,
      problems: [{ field: 'email', message: 'Another member already uses this e-mail address.' }],
    })
  })

  test.each<[object, string, string]>([
    [{ name: '   ' }, 'name', 'Give a name.'],
    [{ name: 7 }, 'name', 'Give a name.'],
    [{ name: 'x'.repeat(81) }, 'name', 'Use at most 80 characters for the name.'],
    [
      { name: 'Ana\nfailed to sign in' },
      'name',
      'Leave out line breaks and other characters that cannot be seen.',
    ],
    [{ name: 'Ana\0' }, 'name', 'Leave out line breaks and other characters that cannot be seen.'],
    [{ name: 'Ana \ud800' }, 'name', 'Leave out line breaks and other characters that cannot be seen.'],
    [{ email: 'ana' }, 'email', 'This does not look like an e-mail address, such as ana@example.com.'],
    [
      { email: 'ana@acme.example\r\nBcc: all@acme.example' },
      'email',
      'This does not look like an e-mail address, such as ana@example.com.',
    ],
    [{ email: `${'a'.repeat(250)}@b.example` }, 'email', 'Use at most 254 characters for the address.'],
  ])('does not become %j', async (input, field, message) => {
    const { product, aProject, aMember, signedIn } = await openTestProduct()
    await aProject()
    const viewer = await signedIn(await aMember())

    const outcome = await product.projects.members.changeAccount(input, viewer)
    expect(outcome).toMatchObject({ done: false, problems: [{ field, message }] })
  })

  test.each(['Zoë O’Hara-Łukasik', '山田 花子', 'محمد', '👩‍🚀 Ana'])('may be called %s', async (name) => {
    const { product, aProject, aMember, signedIn } = await openTestProduct()
    const acme = await aProject()
    const viewer = await signedIn(await aMember())
    requireDone(await product.projects.members.changeAccount({ name }, viewer))

    expect(Object.keys(await rolesIn(product, acme.id))).toEqual([name])
  })
})

describe('a new password', () => {
  test('ends every other session and keeps this one', async () => {
    const { product, aProject, aMember } = await openTestProduct()
    await aProject()
    const ana = await aMember()
    const ben = await aMember({ name: 'Ben Cole' })
    const here = await product.signIn.welcome(ana, testOrigin)
    const elsewhere = await product.signIn.welcome(ana, testOrigin)
    const bens = await product.signIn.welcome(ben, testOrigin)
    const viewer = present(await product.signIn.sessions.viewer(here.token, testOrigin))
    requireDone(await product.projects.members.changePassword({ password: newPassword }, viewer))

    expect(await product.signIn.sessions.viewer(here.token, testOrigin)).toBeDefined()
    expect(await product.signIn.sessions.viewer(elsewhere.token, testOrigin)).toBeUndefined()
    expect(await product.signIn.sessions.viewer(bens.token, testOrigin)).toBeDefined()
    requireDone(await product.signIn.signIn({ email: ana.email, password: newPassword }, testOrigin))
    expect((await product.signIn.signIn({ email: ana.email, password }, testOrigin)).done).toBe(false)
  })

  test.each<[unknown, string]>([
    ['short', 'Use at least 12 characters. A few unrelated words are easy to remember.'],
    [
      'Ana.Berg.2026!!',
      'This is your name, address or project with a few characters added. Choose something unrelated.',
    ],
    [undefined, 'Choose a new password.'],
  ])('of %j is refused and changes nothing', async (wanted, message) => {
    const { product, aProject, aMember, signedIn } = await openTestProduct()
    await aProject()
    const ana = await aMember()
    await signedIn(ana)
    const viewer = await signedIn(ana)

    expect(
      problemMessages(await product.projects.members.changePassword({ password: wanted }, viewer)),
    ).toEqual([message])
    expect(await product.signIn.sessions.list(viewer)).toHaveLength(2)
    requireDone(await product.signIn.signIn({ email: ana.email, password }, testOrigin))
  })

  test('from the operator ends every session', async () => {
    const { product, aProject, aMember } = await openTestProduct()
    await aProject()
    const ana = await aMember()
    const { token } = await product.signIn.welcome(ana, testOrigin)
    requireDone(
      await product.projects.members.resetPassword(
        ` ${ana.email.toUpperCase()} `,
        { password: newPassword },
        operator(),
      ),
    )

    expect(await product.signIn.sessions.viewer(token, testOrigin)).toBeUndefined()
    requireDone(await product.signIn.signIn({ email: ana.email, password: newPassword }, testOrigin))
  })

  test('for another member comes from the operator alone', async () => {
    const { product, aProject, aMember, signedIn } = await openTestProduct()
    await aProject()
    const ana = await aMember()
    const owner = await signedIn(await aMember({ role: 'owner', name: 'Ben Cole' }))

    expect(
      problemMessages(
        await product.projects.members.resetPassword(ana.email, { password: newPassword }, owner),
      ),
    ).toEqual(['Passwords are reset on the machine itself, with "tilth member".'])
    requireDone(await product.signIn.signIn({ email: ana.email, password }, testOrigin))
  })

  test('for an unknown address is refused', async () => {
    const { product } = await openTestProduct()

    expect(
      problemMessages(
        await product.projects.members.resetPassword(
          'no@body.example',
          { password: newPassword },
          operator(),
        ),
      ),
    ).toEqual(['No member has the address "no@body.example".'])
  })
})

async function rolesIn(product: Product, projectId: number): Promise<Record<string, Role>> {
  const memberships = await product.projects.members.list(projectId, operator())
  return Object.fromEntries(memberships.map(({ member, role }) => [member.name, role]))
}
