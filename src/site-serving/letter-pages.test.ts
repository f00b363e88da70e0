import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { aFolder, aWorld, requireDone } from '#test/product/fixture'
import { Seal } from '#flags/seal'
import { LetterLinks } from '#alerts/letter-links'
import { operator } from '#projects/access'
import { openStore } from '#store/open'
import { readTrustedRequest } from '#http/trusted-request'
import { answerLetter } from './letter-pages'
import { openProduct } from '#server/product'

test('a link in a letter does nothing by being looked at, and what it says by its button or a mail program’s', async () => {
  const { project, linkTo, ask, hindrances } = await setUp()
  const link = await linkTo({
    do: 'unsubscribe',
    project: project.id,
    recipient: 'mail eve@example.com',
    about: 'alert 1',
  })

  const looked = await ask(link)
  expect(looked.status).toBe(200)
  expect(await looked.text()).toContain('<form method="post"')
  expect(await hindrances()).toEqual(['unconfirmed'])

  const pressed = await ask(link, { method: 'POST', body: 'List-Unsubscribe=One-Click' })
  expect(pressed.status).toBe(200)
  expect(await pressed.text()).toContain('You will no longer get these e-mails from Acme &#38; Sons.')
  expect(await hindrances()).toEqual(['unsubscribed'])

  const agreed = await linkTo({ do: 'confirm', project: project.id, address: 'eve@example.com' })
  await ask(agreed, { method: 'POST' })
  expect(await hindrances()).toEqual([])
})

test('a link that was changed, or is of a project that is not there, does not work', async () => {
  const { linkTo, ask, hindrances, project } = await setUp()
  const link = await linkTo({ do: 'confirm', project: project.id, address: 'eve@example.com' })
  const gone = await linkTo({ do: 'confirm', project: 99, address: 'eve@example.com' })

  for (const broken of [`${link}x`, link.slice(0, -1), gone, '/_tilth/letters/', '/_tilth/letters/a.b'])
    expect((await ask(broken, { method: 'POST' })).status).toBe(404)
  expect(await hindrances()).toEqual(['unconfirmed'])
})

/** The page alone, asked over HTTP. */
async function setUp() {
  const [world, folder] = [aWorld(), aFolder()]
  const product = await openProduct({ store: { folder }, world })
  const store = await openStore({ folder })
  const server = createServer((request, response) => {
    const trustedRequest = readTrustedRequest(request, { trusted: { by: 'nobody' }, addresses: () => [] })
    void answerLetter({ request, response, trustedRequest }, { product })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await product.close()
    await store.close()
  })
  const { project } = requireDone(await product.projects.create({ name: 'Acme & Sons' }, operator()))
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('The server has no port.')
  const origin = `http://127.0.0.1:${address.port}`
  const links = new LetterLinks({ store, world, origin: '', seal: new Seal({ folder, world }) })
  return {
    project,
    linkTo: (wish: Parameters<LetterLinks['linkFor']>[0]) => links.linkFor(wish),
    ask: (path: string, asking?: RequestInit) => fetch(`${origin}${path}`, asking),
    hindrances: async () => {
      const eve = [{ by: 'mail' as const, address: 'eve@example.com' }]
      return [...(await product.alerts.contacts.obstacles(project.id, 'alert 1', eve)).values()]
    },
  }
}
