import { beforeEach, describe, expect, test } from 'vitest'
import {
  openTestProduct,
  requireDone,
  type TestProduct,
  password,
  present,
  testOrigin,
} from '#test/product/fixture'
import { type MemberViewer, operator, AccessRefusedError, type Viewer } from './access'
import type { Member } from './members'
import type { Project } from './project'

interface Stage extends TestProduct {
  acme: Project
  ana: Member
  ben: Member
}

let stage: Stage
beforeEach(async () => {
  const fixture = await openTestProduct()
  const acme = await fixture.aProject()
  const ana = await fixture.aMember({ role: 'owner', name: 'Ana Berg' })
  const ben = await fixture.aMember({ role: 'editor', name: 'Ben Cole' })
  stage = { ...fixture, acme, ana, ben }
})

/** Actions that would let a stranger at an unlocked screen stay, or that cannot be undone. */
const asksAgain: [string, (viewer: MemberViewer) => unknown][] = [
  [
    'inviting',
    (viewer) => stage.product.projects.invitations.create(stage.acme.id, { role: 'viewer' }, viewer),
  ],
  ['changing a role', (viewer) => changeRoleOfBen(viewer)],
  [
    'removing a member',
    (viewer) => stage.product.projects.members.remove(stage.acme.id, stage.ben.id, viewer),
  ],
  [
    'changing one’s address',
    (viewer) => stage.product.projects.members.changeAccount({ email: 'ana@new.example' }, viewer),
  ],
  [
    'changing one’s password',
    (viewer) => stage.product.projects.members.changePassword({ password: newPassword }, viewer),
  ],
  ['creating a key', (viewer) => createKey(viewer)],
  [
    'revoking a key',
    async (viewer) => stage.product.projects.keys.revoke(stage.acme.id, await aKeyId(), viewer),
  ],
  ['renewing the write key', (viewer) => stage.product.projects.renewWriteKey(stage.acme.id, viewer)],
  ['archiving the project', (viewer) => stage.product.projects.archive(stage.acme.id, viewer)],
]

const doesNotAsk: [string, (viewer: MemberViewer) => unknown][] = [
  ['changing one’s name', (viewer) => stage.product.projects.members.changeAccount({ name: 'Ana' }, viewer)],
  [
    'changing the project’s name',
    (viewer) => stage.product.projects.change(stage.acme.id, { name: 'A' }, viewer),
  ],
  ['opening a project', (viewer) => stage.product.projects.create({ name: 'Second' }, viewer)],
  ['ending one’s other sessions', (viewer) => stage.product.signIn.sessions.revokeOthers(viewer)],
  ['reading the log', (viewer) => stage.product.projects.audit.list(stage.acme.id, {}, viewer)],
  [
    'taking back an invitation',
    async (viewer) => {
      const { invitation } = requireDone(
        await stage.product.projects.invitations.create(stage.acme.id, { role: 'viewer' }, operator()),
      )
      return await stage.product.projects.invitations.revoke(stage.acme.id, invitation.id, viewer)
    },
  ],
]

const newPassword = 'harbour thistle clock'
const changeRoleOfBen = (viewer: Viewer) =>
  stage.product.projects.members.changeRole(stage.acme.id, stage.ben.id, { role: 'viewer' }, viewer)
const createKey = (viewer: Viewer) =>
  stage.product.projects.keys.create(stage.acme.id, { name: 'CI', scopes: ['project:read'] }, viewer)
const aKeyId = async (): Promise<string> => requireDone(await createKey(operator())).key.id

describe.each(asksAgain)('%s', (_, call) => {
  test('is done within ten minutes of giving the password', async () => {
    const viewer = await stage.signedIn(stage.ana)
    stage.world.advance('599 seconds')

    expect(await call(viewer)).toMatchObject({ done: true })
  })

  test('asks for the password after ten minutes', async () => {
    const viewer = await stage.signedIn(stage.ana)
    stage.world.advance('10 minutes')

    await expect(async () => await call(viewer)).rejects.toThrow(
      new AccessRefusedError('confirm-password', 'Enter your password to continue.'),
    )
  })
})

test.each(doesNotAsk)('%s never asks for the password', async (_, call) => {
  const viewer = await stage.signedIn(stage.ana)
  stage.world.advance('1 hour')

  await expect(Promise.resolve(call(viewer))).resolves.toBeDefined()
})

test('giving the password again opens the way for ten more minutes', async () => {
  const { product, world, ana } = stage
  const { token } = await product.signIn.welcome(ana, testOrigin)
  const viewer = async () => present(await product.signIn.sessions.viewer(token, testOrigin))
  world.advance('1 hour')
  requireDone(await product.signIn.confirm({ password }, await viewer()))

  world.advance('9 minutes')
  requireDone(await changeRoleOfBen(await viewer()))
  world.advance('1 minute')
  await expect(changeRoleOfBen(await viewer())).rejects.toThrow('Enter your password')
})

test('a wrong password opens nothing', async () => {
  const { product, world, ana } = stage
  const { token } = await product.signIn.welcome(ana, testOrigin)
  const viewer = async () => present(await product.signIn.sessions.viewer(token, testOrigin))
  world.advance('1 hour')

  expect(await product.signIn.confirm({ password: 'not it' }, await viewer())).toEqual({
    done: false,
    problems: [{ field: 'password', message: 'This is not your password.' }],
  })
  await expect(changeRoleOfBen(await viewer())).rejects.toThrow('Enter your password')
})

test('keys and the operator have no password to give', async () => {
  const { product, world, acme } = stage
  const { text } = requireDone(
    await product.projects.keys.create(acme.id, { name: 'CI', scopes: 'every' }, operator()),
  )
  world.advance('1 day')

  requireDone(await changeRoleOfBen(operator()))
  requireDone(await createKey(present(await product.projects.keys.viewer(text, testOrigin))))
})

test('leaving never asks for the password', async () => {
  const { product, world, acme, ben } = stage
  const viewer = await stage.signedIn(ben)
  world.advance('1 hour')

  requireDone(await product.projects.members.remove(acme.id, ben.id, viewer))
})
