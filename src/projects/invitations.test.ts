import { describe, expect, test } from 'vitest'
import {
  openTestProduct,
  requireDone,
  type TestProduct,
  problemMessages,
  password,
  present,
  testOrigin,
} from '#test/product/fixture'
import { operator, type RequestOrigin, type Role } from './access'
import type { Project } from './project'

const gone = 'This invitation is no longer valid. Ask the person who sent it for a new one.'
const ben = { name: 'Ben Cole', email: 'ben@cole.example', password }

interface Invited extends TestProduct {
  acme: Project
  token: string
  id: string
}

async function anInvitation(wanted: { role?: Role; email?: string } = {}): Promise<Invited> {
  const fixture = await openTestProduct()
  const acme = await fixture.aProject()
  const input = { role: 'editor', ...wanted }
  const { token, invitation } = requireDone(
    await fixture.product.projects.invitations.create(acme.id, input, operator()),
  )
  return { ...fixture, acme, token, id: invitation.id }
}

const membersOf = async ({ product, acme }: Invited): Promise<[string, Role][]> =>
  (await product.projects.members.list(acme.id, operator())).map(({ member, role }) => [member.email, role])

describe('an invitation', () => {
  test('shows the inviter and the role to the holder of the link', async () => {
    const { product, token } = await anInvitation({ email: ' Ben@Cole.example ' })

    expect(await product.projects.invitations.offer(token)).toEqual({
      projectName: 'Acme',
      role: 'editor',
      invitedBy: 'operator',
      email: 'ben@cole.example',
    })
  })

  test('makes a new person a member and signs them in', async () => {
    const stage = await anInvitation()
    const { member, projectId } = requireDone(
      await stage.product.projects.invitations.acceptAsNew(stage.token, ben, testOrigin),
    )

    expect(projectId).toBe(stage.acme.id)
    expect(await membersOf(stage)).toEqual([[ben.email, 'editor']])
    expect((await stage.signedIn(member)).roles).toEqual(new Map([[stage.acme.id, 'editor']]))
  })

  test('makes a person with an account a member', async () => {
    const stage = await anInvitation()
    const other = await stage.aProject({ name: 'Other' })
    const viewer = await stage.signedIn(
      await stage.aMember({ role: 'owner', project: other, name: 'Ben Cole' }),
    )
    requireDone(await stage.product.projects.invitations.accept(stage.token, viewer))

    expect(await membersOf(stage)).toEqual([[viewer.email, 'editor']])
  })

  test('changes nothing for a member, and remains valid for the invited person', async () => {
    const stage = await anInvitation({ role: 'viewer' })
    const owner = await stage.signedIn(await stage.aMember({ role: 'owner' }))
    requireDone(await stage.product.projects.invitations.accept(stage.token, owner))

    expect(await membersOf(stage)).toEqual([[owner.email, 'owner']])
    expect(await stage.product.projects.invitations.list(stage.acme.id, owner)).toHaveLength(1)
    requireDone(await stage.product.projects.invitations.acceptAsNew(stage.token, ben, testOrigin))
  })

  test.each<[string, (stage: Invited) => unknown]>([
    [
      'was used',
      async ({ product, token }) =>
        requireDone(
          await product.projects.invitations.acceptAsNew(
            token,
            { ...ben, email: 'first@cole.example' },
            testOrigin,
          ),
        ),
    ],
    [
      'was taken back',
      async ({ product, acme, id }) =>
        requireDone(await product.projects.invitations.revoke(acme.id, id, operator())),
    ],
    ['is a week old', ({ world }) => world.advance('7 days')],
    [
      'leads to an archived project',
      async ({ product, acme }) => requireDone(await product.projects.archive(acme.id, operator())),
    ],
  ])('that %s opens nothing', async (_, spoil) => {
    const stage = await anInvitation()
    const { product, token, acme } = stage
    const outsider = await stage.signedIn(
      await stage.aMember({ project: await stage.aProject({ name: 'Other' }) }),
    )
    await spoil(stage)
    const before = await membersOf(stage)

    expect(await product.projects.invitations.offer(token)).toBeUndefined()
    expect(problemMessages(await product.projects.invitations.accept(token, outsider))).toEqual([gone])
    expect(problemMessages(await product.projects.invitations.acceptAsNew(token, ben, testOrigin))).toEqual([
      gone,
    ])
    expect(await membersOf(stage)).toEqual(before)
    expect(await product.projects.members.list(acme.id, operator())).toHaveLength(before.length)
  })

  test.each([[''], ['x'], ['0'.repeat(43)], ["' or 1=1 --"]])(
    'is not found by the token %j',
    async (token) => {
      const { product } = await anInvitation()

      expect(await product.projects.invitations.offer(token)).toBeUndefined()
      expect(problemMessages(await product.projects.invitations.acceptAsNew(token, ben, testOrigin))).toEqual(
        [gone],
      )
    },
  )

  test('lasts a week but for a second', async () => {
    const { product, world, token } = await anInvitation()
    world.advance('7 days')
    world.advance('-1 second')

    requireDone(await product.projects.invitations.acceptAsNew(token, ben, testOrigin))
  })

  test('lets in one of ten who open the link at the same moment, in two processes', async () => {
    const stage = await anInvitation()
    const other = await stage.anotherProcess()
    const entering = Array.from({ length: 10 }, (_, person) =>
      (person % 2 ? other : stage.product).projects.invitations.acceptAsNew(
        stage.token,
        { ...ben, email: `person-${person}@cole.example` },
        testOrigin,
      ),
    )
    const outcomes = await Promise.all(entering)

    expect(outcomes.filter((outcome) => outcome.done)).toHaveLength(1)
    expect(await membersOf(stage)).toHaveLength(1)
    expect(stage.database((file) => file.prepare('select count(*) as members from members').get())).toEqual({
      members: 1,
    })
  })

  test('for one address cannot be used by another', async () => {
    const stage = await anInvitation({ email: 'ben@cole.example' })
    const stranger = await stage.signedIn(
      await stage.aMember({ project: await stage.aProject({ name: 'Other' }) }),
    )
    const { invitations } = stage.product.projects

    expect(problemMessages(await invitations.accept(stage.token, stranger))).toEqual([
      'This invitation is for ben@cole.example. Sign in with that address to accept it.',
    ])
    expect(
      await invitations.acceptAsNew(stage.token, { ...ben, email: 'other@cole.example' }, testOrigin),
    ).toEqual({
      done: false,
      problems: [{ field: 'email', message: 'This invitation is for ben@cole.example.' }],
    })
    requireDone(await invitations.acceptAsNew(stage.token, { ...ben, email: 'BEN@cole.example' }, testOrigin))
  })

  test('does not make a second account for an address', async () => {
    const stage = await anInvitation()
    const other = await stage.aProject({ name: 'Other' })
    const { email } = await stage.aMember({ project: other })

    expect(
      await stage.product.projects.invitations.acceptAsNew(stage.token, { ...ben, email }, testOrigin),
    ).toEqual({
      done: false,
      problems: [
        {
          field: 'email',
          message: 'This address already has an account. Sign in, then open the link again.',
        },
      ],
    })
    expect(await stage.product.projects.invitations.offer(stage.token)).toBeDefined()
  })

  test.each<[object, string]>([
    [{ ...ben, password: 'short' }, 'password'],
    [{ ...ben, password: 'ben-cole-2026' }, 'password'],
    [{ ...ben, password: undefined }, 'password'],
    [{ ...ben, email: 'ben' }, 'email'],
    [{ ...ben, name: ' ' }, 'name'],
  ])('can be used again after a form that did not hold: %j', async (input, field) => {
    const { product, token } = await anInvitation()

    expect(await product.projects.invitations.acceptAsNew(token, input, testOrigin)).toMatchObject({
      problems: [{ field }],
    })
    requireDone(await product.projects.invitations.acceptAsNew(token, ben, testOrigin))
  })

  test('records the origin of a new member', async () => {
    const { product, token, acme } = await anInvitation()
    const origin: RequestOrigin = { address: '198.51.100.0/24', client: 'Safari on iOS', requestId: 'req-9' }
    requireDone(await product.projects.invitations.acceptAsNew(token, ben, origin))
    const [joined] = await product.projects.audit.list(acme.id, { action: 'member.join' }, operator())

    expect(joined).toMatchObject({ origin, subject: ben.email, after: { role: 'editor' } })
  })
})

describe('inviting', () => {
  test.each<[object, string, string]>([
    [{ role: 'boss' }, 'role', 'Choose one of owner, admin, editor, viewer.'],
    [{}, 'role', 'Choose one of owner, admin, editor, viewer.'],
    [
      { role: 'viewer', email: 'ben' },
      'email',
      'This does not look like an e-mail address, such as ana@example.com.',
    ],
  ])('with %j is refused in words', async (input, field, message) => {
    const { product, aProject } = await openTestProduct()
    const acme = await aProject()

    expect(await product.projects.invitations.create(acme.id, input, operator())).toEqual({
      done: false,
      problems: [{ field, message }],
    })
  })

  test('an empty address, as a form sends it, means anybody with the link', async () => {
    const { product, token } = await anInvitation({ email: '' })

    expect((await product.projects.invitations.offer(token))?.email).toBeUndefined()
  })

  test('a person who is a member already is refused with the reason', async () => {
    const { product, aProject, aMember } = await openTestProduct()
    const acme = await aProject()
    const { email } = await aMember()

    expect(
      problemMessages(
        await product.projects.invitations.create(acme.id, { role: 'viewer', email }, operator()),
      ),
    ).toEqual(['This person already belongs to the project.'])
  })

  test('for an owner is left to owners', async () => {
    const { product, aProject, aMember, signedIn } = await openTestProduct()
    const acme = await aProject()
    const admin = await signedIn(await aMember({ role: 'admin' }))

    await expect(product.projects.invitations.create(acme.id, { role: 'owner' }, admin)).rejects.toThrow(
      'You may not do this: grant and revoke ownership. This requires the role owner. Ask a project owner.',
    )
    requireDone(await product.projects.invitations.create(acme.id, { role: 'admin' }, admin))
  })

  test('a key cannot invite a member with more rights than its own', async () => {
    const { product, aProject, aMember } = await openTestProduct()
    const acme = await aProject()
    const ana = await aMember()
    const reading = [
      'project:read',
      'members:read',
      'events:read',
      'experiments:read',
      'surveys:read',
      'letters:read',
    ]
    const held = [...reading, 'members:write']
    const { text } = requireDone(
      await product.projects.keys.create(acme.id, { name: 'CI', scopes: held }, operator()),
    )
    const key = present(await product.projects.keys.viewer(text, testOrigin))

    requireDone(await product.projects.invitations.create(acme.id, { role: 'viewer' }, key))
    await expect(product.projects.invitations.create(acme.id, { role: 'admin' }, key)).rejects.toThrow(
      'Use a key with the scope',
    )
    await expect(
      product.projects.members.changeRole(acme.id, ana.id, { role: 'admin' }, key),
    ).rejects.toThrow('Use a key with the scope')
  })

  test('is listed while it is open, the newest first, without the token', async () => {
    const stage = await anInvitation()
    const { product, acme, world } = stage
    world.advance('1 minute')
    const second = requireDone(
      await product.projects.invitations.create(acme.id, { role: 'viewer', email: ben.email }, operator()),
    )
    const listed = await product.projects.invitations.list(acme.id, operator())

    expect(listed.map(({ role }) => role)).toEqual(['viewer', 'editor'])
    expect(JSON.stringify(listed)).not.toContain(second.token)
    requireDone(await product.projects.invitations.acceptAsNew(second.token, ben, testOrigin))
    requireDone(await product.projects.invitations.revoke(acme.id, stage.id, operator()))
    expect(await product.projects.invitations.list(acme.id, operator())).toEqual([])
  })

  test('cannot be taken back from another project, nor twice', async () => {
    const { product, acme, id, aProject } = await anInvitation()
    const other = await aProject({ name: 'Other' })

    expect(problemMessages(await product.projects.invitations.revoke(other.id, id, operator()))).toEqual([
      gone,
    ])
    requireDone(await product.projects.invitations.revoke(acme.id, id, operator()))
    expect(problemMessages(await product.projects.invitations.revoke(acme.id, id, operator()))).toEqual([
      gone,
    ])
  })
})
