import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { aMailServer } from '#test/outside/smtp'
import { aWorld, openTestProduct, problemMessages, requireDone } from '#test/product/fixture'
import { openProduct } from '#server/product'
import { openStore } from '#store/open'
import { openTables } from '#store/tables'

const open = openTables<{
  mailServer: { scope: string; settings: string }
  audit: { action: string; before: string; after: string }
}>()

const login = { user: 'tilth@example.com', password: 'a long secret' }

/** An installation whose only project Ana owns, and a mail server that asks for a password. */
async function anInstallation() {
  const fixture = await openTestProduct()
  await fixture.aProject()
  const ana = await fixture.aMember({ role: 'owner' })
  const server = await aMailServer({ login })
  const input = {
    host: '127.0.0.1',
    port: server.port,
    isSecure: false,
    ...login,
    from: 'Tilth <tilth@example.com>',
  }
  const { mailServer } = fixture.product.projects
  return { ...fixture, ana, owner: await fixture.signedIn(ana), server, input, mailServer }
}

describe('the mail server of an installation', () => {
  test('is set by an owner, takes effect in every process, and sends', async () => {
    const { product, folder, world, owner, input, mailServer, server } = await anInstallation()
    const other = await openProduct({
      store: { folder },
      world: { now: world.now, random: aWorld('other').random },
    })
    onTestFinished(() => other.close())
    expect([product.alerts.canMail, other.signIn.passwordResets.canMail]).toEqual([false, false])

    requireDone(await mailServer.change(input, owner))
    await expect
      .poll(() => [product.alerts.canMail, other.alerts.canMail, other.signIn.passwordResets.canMail])
      .toEqual([true, true, true])
    expect(requireDone(await other.projects.mailServer.sendTest(owner)).address).toBe(owner.email)
    expect(server.letters.map(({ to }) => to)).toEqual([[owner.email]])

    requireDone(await mailServer.remove(owner))
    await expect.poll(() => other.alerts.canMail).toBe(false)
    expect(problemMessages(await mailServer.sendTest(owner))).toEqual([
      'E-mail isn’t set up. An owner sets it up under Settings → E-mail.',
    ])
  })

  test('shows its password to no one: not in a report, the store, or the audit log', async () => {
    const { folder, owner, input, mailServer } = await anInstallation()
    requireDone(await mailServer.change(input, owner))
    const { server } = await mailServer.read(owner)
    expect(server).toEqual({
      host: input.host,
      port: input.port,
      isSecure: false,
      user: login.user,
      from: input.from,
      hasPassword: true,
    })
    const store = await openStore({ folder })
    onTestFinished(() => store.close())
    const stored = await open(store).selectFrom('mailServer').selectAll().execute()
    const log = await open(store).selectFrom('audit').selectAll().execute()
    expect(stored).toHaveLength(1)
    expect(JSON.stringify(log)).toContain('mail-server.change')
    expect(JSON.stringify([stored, log])).not.toContain(login.password)
  })

  test('keeps its password where the field is empty, but for no other server or user', async () => {
    const { owner, input, mailServer, server } = await anInstallation()
    requireDone(await mailServer.change(input, owner))
    const renamed = { ...input, password: '', from: 'Acme <tilth@example.com>' }
    requireDone(await mailServer.change(renamed, owner))
    requireDone(await mailServer.sendTest(owner))
    expect(server.letters[0]?.raw).toMatch(/^From: Acme <tilth@example\.com>\r$/m)

    for (const elsewhere of [{ host: 'evil.example' }, { port: 2525 }, { user: 'eve' }])
      expect(problemMessages(await mailServer.change({ ...renamed, ...elsewhere }, owner))).toEqual([
        'Enter the password again: it belongs to another server or user.',
      ])
  })

  test('of the environment wins, and is not changed here', async () => {
    const { folder, world, owner, input, mailServer } = await anInstallation()
    requireDone(await mailServer.change(input, owner))
    const set = { ...input, host: 'smtp.example.com' }
    const product = await openProduct({
      store: { folder },
      world: { now: world.now, random: aWorld('set').random },
      outbound: { allow: undefined, canMail: true, mail: set },
    })
    onTestFinished(() => product.close())
    expect(await product.projects.mailServer.read(owner)).toMatchObject({
      source: 'environment',
      server: { host: 'smtp.example.com', hasPassword: true },
    })
    expect(problemMessages(await product.projects.mailServer.change(input, owner))).toEqual([
      expect.stringMatching(/^TILTH_SMTP and TILTH_MAIL_FROM set the mail server/),
    ])
  })

  test('is shown and changed by owners of every project alone, after their password', async () => {
    const { aMember, signedIn, world, owner, input, mailServer, product } = await anInstallation()
    requireDone(await mailServer.change(input, owner))
    const admin = await signedIn(await aMember({ role: 'admin', name: 'Ben Cole' }))
    expect(await mailServer.read(admin)).toEqual({
      source: 'studio',
      server: undefined,
      mayChange: false,
      isUnreadable: false,
    })
    await expect(mailServer.sendTest(admin)).rejects.toThrow('Only an owner of every project')
    world.advance('10 minutes')
    await expect(mailServer.change(input, owner)).rejects.toThrow('Enter your password to continue.')
    expect(product.alerts.canMail).toBe(true)
  })

  test('whose password another key encrypted sends nothing, and says so', async () => {
    const { folder, owner, input, mailServer } = await anInstallation()
    requireDone(await mailServer.change(input, owner))
    const store = await openStore({ folder })
    onTestFinished(() => store.close())
    await store.transaction(async (transaction) => {
      const { settings } = await open(transaction)
        .selectFrom('mailServer')
        .selectAll()
        .executeTakeFirstOrThrow()
      const elsewhere = settings.replace(/sealed1\.[\w-]{8}/, 'sealed1.elsewher')
      await open(transaction).updateTable('mailServer').set({ settings: elsewhere }).execute()
      await transaction.announce('mail-server')
    })
    await expect.poll(async () => (await mailServer.read(owner)).isUnreadable).toBe(true)
    expect((await mailServer.sendTest(owner)).done).toBe(false)
  })
})

describe('a test says what the mail server answered', () => {
  test.each([
    [
      'a wrong password',
      { password: 'wrong' },
      /^127\.0\.0\.1 refuses the user or the password: .*535 5\.7\.8/,
    ],
    ['no user', { user: '', password: '' }, /^127\.0\.0\.1 answered MAIL FROM: 530 5\.7\.0 Authentication/],
    ['an unknown host', { host: 'nowhere.invalid' }, /^The host nowhere\.invalid is unknown\./],
    ['TLS where there is none', { isSecure: true }, /^127\.0\.0\.1 does not speak TLS on port \d+\./],
    ['a closed port', { port: 1 }, /^127\.0\.0\.1 refuses connections on port 1\.$/],
  ])('%s', async (_, changes, sentence) => {
    const { owner, input, mailServer } = await anInstallation()
    requireDone(await mailServer.change({ ...input, ...changes }, owner))
    expect(problemMessages(await mailServer.sendTest(owner))).toEqual([expect.stringMatching(sentence)])
  })

  test('a refused recipient', async () => {
    const { owner, input, mailServer, server } = await anInstallation()
    requireDone(await mailServer.change(input, owner))
    server.refuseWith('550 5.7.1 Relaying denied')
    expect(problemMessages(await mailServer.sendTest(owner))).toEqual([
      expect.stringMatching(/^127\.0\.0\.1 answered RCPT TO: .*550 5\.7\.1 Relaying denied/),
    ])
  })

  test('a server that never greets, within a bounded time', async () => {
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void silent.close())
    const address = silent.address()
    const port = address && typeof address === 'object' ? address.port : 0
    const { owner, input, mailServer } = await anInstallation()
    requireDone(await mailServer.change({ ...input, port }, owner))
    expect(problemMessages(await mailServer.sendTest(owner))).toEqual([
      `127.0.0.1 does not answer on port ${port} as a mail server.`,
    ])
  })
})
