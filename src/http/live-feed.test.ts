import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openTestProduct, requireDone, present, testOrigin } from '#test/product/fixture'
import { operator } from '#projects/access'
import { readTrustedRequest } from './trusted-request'
import { LiveFeed } from './live-feed'
import { authenticateMember } from './watched-session'

const surroundings = { trusted: { by: 'nobody' } as const, addresses: () => [] }

/** Vera watches Acme's live stream in a browser of hers. */
async function aStream() {
  const fixture = await openTestProduct()
  const { product, aProject, aMember } = fixture
  const acme = await aProject()
  await aMember({ role: 'owner', name: 'Olga Owner' })
  const vera = await aMember({ role: 'viewer', name: 'Vera Viewer' })
  const { token } = await product.signIn.welcome(vera, testOrigin)
  const live = new LiveFeed(() => {})
  onTestFinished(() => live.close())
  onTestFinished(product.changes.onChange((topic) => live.onChange(topic)))
  const server = createServer((request, response) => {
    const arrival = readTrustedRequest(request, surroundings)
    const again = () => authenticateMember(request, arrival, product, { isUse: false })
    void authenticateMember(request, arrival, product).then((watching) =>
      watching
        ? live.addWatcher({ ...watching, reauthenticate: again }, request, response)
        : response.writeHead(403).end(),
    )
  }).listen(0)
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const headers = { cookie: `sid=${token}` }
  const watch = () => fetch(`http://127.0.0.1:${port}/_tilth/live/${acme.slug}`, { headers })
  const answer = await watch()
  expect(answer.status).toBe(200)
  const viewer = present(await product.signIn.sessions.viewer(token, testOrigin))
  const elsewhere = await fixture.signedIn(vera)
  return { ...fixture, acme, vera, viewer, elsewhere, live, watch, ended: answer.text() }
}

type Stream = Awaited<ReturnType<typeof aStream>>

describe('an open live stream', () => {
  test.each<[string, (stream: Stream) => Promise<unknown>]>([
    [
      'its member is removed from the project',
      async ({ product, acme, vera }) =>
        requireDone(await product.projects.members.remove(acme.id, vera.id, operator())),
    ],
    ['its member signs out', ({ product, viewer }) => product.signIn.sessions.end(viewer)],
    [
      'its session is ended from another browser',
      async ({ product, viewer, elsewhere }) =>
        requireDone(await product.signIn.sessions.revoke(viewer.sessionId, elsewhere)),
    ],
    [
      'another browser ends all others',
      async ({ product, elsewhere }) => requireDone(await product.signIn.sessions.revokeOthers(elsewhere)),
    ],
    [
      'the password is reset on the machine',
      async ({ product, vera }) =>
        requireDone(
          await product.projects.members.resetPassword(
            vera.email,
            { password: 'harbour thistle clock' },
            operator(),
          ),
        ),
    ],
    [
      'the session runs out',
      async ({ live, world }) => {
        world.advance('31 days')
        await live.endForbidden()
      },
    ],
    [
      'the store cannot be asked',
      async ({ live, database }) => {
        database((file) => file.exec('alter table sessions rename to sessions_away'))
        await live.endForbidden()
        database((file) => file.exec('alter table sessions_away rename to sessions'))
      },
    ],
  ])('ends when %s', async (_, happens) => {
    const stream = await aStream()
    await happens(stream)

    expect(await stream.ended).toContain('event: recent')
  })

  test('goes on for those who may still see it, and does not keep a session from ending', async () => {
    const { product, world, live, watch, aMember, acme, viewer } = await aStream()
    const { body } = await watch()
    const other = await aMember({ role: 'editor', name: 'Edda Editor' })
    world.advance('1 hour')
    requireDone(await product.projects.members.remove(acme.id, other.id, operator()))
    await live.endForbidden()
    live.publish({ projectId: acme.id, liveEvent: { at: 'now' } as never })

    const reader = present(body).getReader()
    const { value } = await reader.read()
    expect(new TextDecoder().decode(value)).toContain('event:')
    await reader.cancel()
    const [session] = (await product.signIn.sessions.list(viewer)).filter(({ id }) => id === viewer.sessionId)
    expect(session?.seenAt).toEqual(session?.createdAt)
  })
})
