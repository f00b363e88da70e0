import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  openTestProduct,
  aWorld,
  requireDone,
  requireSignedIn,
  problemMessages,
  password,
  testOrigin,
} from '#test/product/fixture'
import { openProduct } from '#server/product'
import { openStore } from '#store/open'
import { operator } from '../access'
import { PasswordResets, type ResetLetter } from './password-resets'

const chosen = 'harbour thistle clock'

/** A Tilth with a mail server, whose letters are kept here. */
async function aPostOffice() {
  const fixture = await openTestProduct()
  await fixture.aProject()
  const ana = await fixture.aMember()
  const { folder, world } = fixture
  const product = await openProduct({
    store: { folder },
    world: { now: world.now, random: aWorld('mail').random },
    outbound: { allow: undefined, canMail: true },
  })
  onTestFinished(() => product.close())
  const letters: ResetLetter[] = []
  const send = () =>
    product.signIn.passwordResets.sendLetters(async (letter) => {
      letters.push(letter)
      return 'sent'
    })
  const ask = (email = ana.email) => product.signIn.passwordResets.ask({ email }, testOrigin)
  return { ...fixture, product, ana, letters, send, ask }
}

describe('a forgotten password', () => {
  test('is replaced by a link that comes by mail, once, and every session ends', async () => {
    const { product, ana, letters, send, ask, signedIn } = await aPostOffice()
    await signedIn(ana)
    requireDone(await ask())
    await send()
    await send()
    expect(letters).toEqual([{ to: ana.email, name: ana.name, token: expect.any(String) }])
    const token = letters[0]?.token ?? ''
    expect(
      problemMessages(await product.signIn.passwordResets.complete(token, { password: 'short' }, testOrigin)),
    ).toEqual([expect.stringContaining('at least 12')])
    requireDone(await product.signIn.passwordResets.complete(token, { password: chosen }, testOrigin))

    expect(requireDone(await product.signIn.sessions.listOf(ana.email, operator())).sessions).toEqual([])
    requireSignedIn(await product.signIn.signIn({ email: ana.email, password: chosen }, testOrigin))
    expect((await product.signIn.signIn({ email: ana.email, password }, testOrigin)).done).toBe(false)
    expect(
      problemMessages(await product.signIn.passwordResets.complete(token, { password: chosen }, testOrigin)),
    ).toEqual([expect.stringContaining('no longer valid')])
  })

  test('has a link for 30 minutes', async () => {
    const { product, letters, send, ask, world } = await aPostOffice()
    requireDone(await ask())
    await send()
    world.advance('30 minutes')
    const answer = await product.signIn.passwordResets.complete(
      letters[0]?.token ?? '',
      { password: chosen },
      testOrigin,
    )

    expect(problemMessages(answer)).toEqual([expect.stringContaining('no longer valid')])
  })

  test('for an unknown address is answered alike, and no e-mail is sent', async () => {
    const { letters, send, ask, database } = await aPostOffice()

    expect(await ask('nobody@acme.example')).toEqual(await ask())
    await send()
    expect(letters).toHaveLength(1)
    expect(database((file) => file.prepare('select member_id from password_resets').all())).toHaveLength(1)
  })

  test('costs the same work for a member as for an unknown address', async () => {
    const { ana, folder, world } = await aPostOffice()
    const store = await openStore({ folder })
    onTestFinished(() => store.close())
    const transactions = vi.spyOn(store, 'transaction')
    const statements = vi.spyOn(store, 'tables')
    const seal = {
      close: (text: string) => text,
      open: (text: string) => text,
      digest: (text: string) => text,
    }
    const resets = new PasswordResets({ store, world, seal, canMail: () => true })
    const workFor = async (email: string) => {
      transactions.mockClear()
      statements.mockClear()
      await resets.ask({ email }, testOrigin)
      return { transactions: transactions.mock.calls.length, statements: statements.mock.calls.length }
    }

    expect(await workFor('nobody@acme.example')).toEqual(await workFor(ana.email))
  })

  test('is asked for five times, and then less often', async () => {
    const { ask } = await aPostOffice()
    for (let time = 0; time < 5; time++) requireDone(await ask())

    expect(problemMessages(await ask())[0]).toMatch(/^Asked too often/)
  })

  test('keeps no token in the store that could be read', async () => {
    const { letters, send, ask, database } = await aPostOffice()
    requireDone(await ask())
    const rows = database((file) => file.prepare('select * from password_resets').all())
    await send()

    expect(JSON.stringify(rows)).not.toContain(letters[0]?.token ?? 'no token')
    expect(letters).toHaveLength(1)
  })

  test('without a mail server is a matter of the machine', async () => {
    const { product, aProject, aMember, signedIn } = await openTestProduct()
    await aProject()
    const ana = await aMember()
    const { passwordResets } = product.signIn
    expect(problemMessages(await passwordResets.ask({ email: ana.email }, testOrigin))).toEqual([
      expect.stringContaining('no mail server'),
    ])
    await expect(passwordResets.makeLink(ana.email, await signedIn(ana))).rejects.toThrow('on the machine')
    const { token } = requireDone(await passwordResets.makeLink(ana.email, operator()))
    requireDone(await passwordResets.complete(token, { password: chosen }, testOrigin))

    const { token: session } = requireSignedIn(
      await product.signIn.signIn({ email: ana.email, password: chosen }, testOrigin),
    )
    expect(session).toHaveLength(43)
  })
})
