import type { ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { RawConnection } from '#test/start/raw-connection'
import { someWireServices } from '#test/wire/posthog-fixture'
import { readBodyOf } from '#http/forward'
import { type Limits, usualLimits } from '#http/limits'
import type { Dialect } from '#wire/dialect'
import { readConfig } from './config'
import { openFront } from './internal/front'
import type { RunningServices } from './internal/ready'
import { openLog } from './log'

const KB = 1024
const MB = 1024 * KB

/** A member's session, shared pages, and nothing else of the product. */
const product = {
  signIn: {
    sessions: { viewer: async (token?: string) => (token === 'member' ? { kind: 'member' } : undefined) },
  },
  shares: { framedBy: async () => [] },
} as unknown as RunningServices['product'] // nothing else is asked

/** A front behind a proxy that says where requests come from, with pages that say which forms reached them. */
async function aFront({
  limits = { ...usualLimits(), drainMs: 500 },
  serve = ({ response }: { response: ServerResponse }) => void response.writeHead(200).end('done'),
}: { limits?: Limits; serve?: (sent: { response: ServerResponse; bytes: number }) => void } = {}) {
  const reached: string[] = []
  const dialect: Dialect = {
    name: 'taking',
    routes: [{ methods: ['POST'], path: '/take', respond: async () => ({ status: 200, body: 'taken' }) }],
  }
  const reading = readConfig({ PORT: '0', TILTH_MEMORY: '512m', TILTH_TRUST_PROXY: 'loopback' })
  if (!reading.readable) throw new Error(reading.problems.join(' '))
  const front = await openFront({
    config: reading.config,
    log: openLog({ level: 'silent', format: 'json' }),
    dialects: [dialect],
    limits,
  })
  front.use({
    product,
    wire: await someWireServices(),
    disk: async () => ({ freeBytes: 1, usedBytes: 0, trouble: undefined }),
    pages: {
      async serve(request, response) {
        const bytes = (readBodyOf(request) ?? (await buffer(request))).length
        reached.push(`${request.url} ${bytes}`)
        serve({ response, bytes })
      },
      health: () => ({ status: 'ready', since: new Date(), restarts: 0 }),
    },
  })
  onTestFinished(() => front.drain())
  const at = `http://localhost:${front.port}`
  const send = (path: string, body: string | Buffer | FormData, headers: Record<string, string> = {}) =>
    fetch(at + path, {
      method: 'POST',
      body: Buffer.isBuffer(body) ? new Uint8Array(body) : body,
      headers: { ...(headers['x-forwarded-for'] ? {} : from(visitors)), ...headers },
    })
  /** A connection that has sent the head of a form and a part of it. */
  async function trickle(path: string, network: string, part: string | Buffer = 'a', headers = '') {
    const connection = await RawConnection.open(front.port)
    onTestFinished(() => connection.close())
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost:${front.port}\r\nX-Forwarded-For: ${network}\r\n`
    const length = `content-length: ${part.length + 1000}\r\n`
    return connection.send(`${head}${headers || 'next-action: x\r\n'}${length}\r\n`).send(part)
  }
  return { ...front, at, reached, send, trickle }
}

const attacker = '203.0.113.9'
const visitors = '198.51.100.7'
const from = (address: string) => ({ 'x-forwarded-for': address })
const asMember = { cookie: 'sid=member', 'next-action': 'x' }
const action = { 'next-action': 'x' }

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

const signIn = { $ACTION_REF_1: '', '$ACTION_1:0': '{"id":"x"}', email: 'ana@example.com' }
const manyFields = (count: number): Buffer =>
  Buffer.from(
    `--x\r\ncontent-disposition: form-data; name="$ACTION_REF_1"\r\n\r\nb\r\n`.repeat(count) + '--x--\r\n',
  )
const multipart = { 'content-type': 'multipart/form-data; boundary=x' }

describe('a form', () => {
  test.each<[name: string, path: string, body: FormData | string | Buffer, headers: {}, status: number]>([
    ['for a page of the site', '/', formOf(signIn), {}, 405],
    ['for an address that nothing has', '/nowhere/else', formOf(signIn), {}, 405],
    ['for a page of the site, by a script', '/blog/hello', '[]', action, 405],
    [
      'of another kind',
      '/studio/sign-in',
      'email=ana',
      { 'content-type': 'application/x-www-form-urlencoded' },
      405,
    ],
    ['that names no action', '/studio/sign-in', formOf({ email: 'ana@example.com' }), {}, 400],
    ['with more fields than any of ours', '/studio/sign-in', manyFields(101), multipart, 400],
    [
      'with very many fields, by a script',
      '/studio/acme',
      manyFields(2001),
      { ...multipart, ...asMember },
      400,
    ],
    ['that is cut short', '/studio/sign-in', manyFields(1).subarray(0, -6), multipart, 400],
    ['of a member’s size without a session', '/studio/acme', 'a'.repeat(300 * KB), action, 401],
    [
      'of a member’s size with a session that is over',
      '/studio/acme',
      'a'.repeat(300 * KB),
      { ...action, cookie: 'sid=over' },
      401,
    ],
    ['of more than a shared page asks for', '/share/token', 'a'.repeat(17 * KB), asMember, 413],
  ])(
    '%s is refused before the pages see it, and never parsed',
    async (_name, path, body, headers, status) => {
      const parse = vi.spyOn(Response.prototype, 'formData')
      onTestFinished(() => parse.mockRestore())
      const { send, reached } = await aFront()
      expect((await send(path, body, headers)).status).toBe(status)
      expect(reached).toEqual([])
      expect(parse).not.toHaveBeenCalled()
    },
  )

  test.each<[name: string, path: string, body: FormData | string | Buffer, headers: {}]>([
    ['to sign in, without a script', '/studio/sign-in', formOf(signIn), {}],
    [
      'to sign in, with a script',
      '/studio/sign-in',
      formOf({ '1_email': 'ana@example.com', '0': '[]' }),
      action,
    ],
    ['with the password of a shared page', '/share/token', formOf(signIn), {}],
    [
      'with nothing but a button',
      '/studio/sign-out',
      Buffer.from('--x--\r\n'),
      { ...multipart, ...asMember },
    ],
    ['with a statement', '/studio/acme/sql/answer', formOf({ text: 'select 1' }), { cookie: 'sid=member' }],
    ['with a post of 700 kB', '/studio/acme/posts', JSON.stringify(['a'.repeat(700 * KB)]), asMember],
    ['with a file of 8 MB', '/studio/acme/flags', 'a'.repeat(8 * MB), asMember],
    ['of an editor with a thousand fields', '/studio/acme', manyFields(1000), { ...multipart, ...asMember }],
  ])('%s reaches the pages', async (_name, path, body, headers) => {
    const { send, reached } = await aFront()
    expect((await send(path, body, headers)).status).toBe(200)
    expect(reached).toMatchObject([expect.stringContaining(`${path} `)])
  })

  test('of 8 MB where none is meant is refused at once, and its connection closed', async () => {
    const { trickle } = await aFront()
    const part = Buffer.alloc(8 * MB, 'a')
    for (const path of ['/', '/blog/hello', '/studio/nowhere'])
      await expect(
        (
          await trickle(path, attacker, part, 'content-type: multipart/form-data; boundary=x\r\n')
        ).waitUntilClosed(),
      ).resolves.toMatchObject([{ headers: { connection: 'close' } }])
  })
})

describe('trickling connections of one network', () => {
  const anyRefused = (sent: Promise<RawConnection>[]) =>
    Promise.race(sent.map(async (connection) => (await (await connection).waitForResponses(1))[0]))

  test('do not keep anybody else from signing in: eight of them, against two slots', async () => {
    const { send, trickle, reached } = await aFront()
    for (let n = 0; n < 8; n++) await trickle('/studio/sign-in', attacker)
    for (let n = 0; n < 19; n++) expect((await send('/studio/sign-in', '[]', action)).status).toBe(200)
    expect(reached).toHaveLength(19)
  })

  test.each(['without', 'with'])(
    'do not keep members from saving: fifty of them %s a session, against eight slots',
    async (which) => {
      const { send, trickle, reached } = await aFront()
      const session = which === 'with' ? 'cookie: sid=member\r\n' : ''
      for (let n = 0; n < 50; n++)
        await trickle('/studio/acme', attacker, 'a', `next-action: x\r\n${session}`)
      for (let n = 0; n < 8; n++) expect((await send('/studio/acme', '[]', asMember)).status).toBe(200)
      expect(reached).toHaveLength(8)
    },
  )

  test('do not take the memory of events: a batch of 300 kB is taken meanwhile', async () => {
    const { send, trickle } = await aFront()
    const headers = 'content-type: multipart/form-data; boundary=x\r\ncookie: sid=member\r\n'
    const part = Buffer.alloc(300 * KB, 'a')
    const sent = Array.from({ length: 300 }, () => trickle('/studio/acme', attacker, part, headers))
    await anyRefused(sent)
    expect((await send('/take', 'a'.repeat(300 * KB))).status).toBe(200)
  })

  test('hold a share of the memory of forms, whose rest is for others', async () => {
    const { send, trickle } = await aFront()
    const cookie = 'next-action: x\r\ncookie: sid=member\r\n'
    const sent = Array.from({ length: 4 }, () =>
      trickle('/studio/acme', attacker, Buffer.alloc(7 * MB, 'a'), cookie),
    )
    expect(await anyRefused(sent)).toMatchObject({ status: 503 })
    expect((await send('/studio/acme', 'a'.repeat(5 * MB), asMember)).status).toBe(200)
  })

  test('are told 408 if they dribble, however often some of it comes', async () => {
    const limits = { ...usualLimits(), bodyRate: { graceMs: 200, bytesPerSecond: 100 * KB }, drainMs: 500 }
    const { trickle, reached } = await aFront({ limits })
    const connection = await trickle('/studio/sign-in', attacker)
    const dribble = setInterval(() => connection.send('a'), 10)
    onTestFinished(() => clearInterval(dribble))
    await expect(connection.waitUntilClosed()).resolves.toMatchObject([
      { status: 408, headers: { connection: 'close' } },
    ])
    expect(reached).toEqual([])
  })
})

describe('whole forms of one network that take long', () => {
  test.each([
    // where             whose        slots of the network, and all
    ['/studio/sign-in', action, 1],
    ['/studio/acme', asMember, 6],
  ] as const)(
    'at %s have a share of the slots, and another network is let in',
    async (path, headers, share) => {
      const held: ServerResponse[] = []
      const arrived = Promise.withResolvers<void>()
      const { send, reached } = await aFront({
        serve({ response, bytes }) {
          if (bytes > 100) held.push(response)
          else response.writeHead(200).end()
          if (held.length === share) arrived.resolve()
        },
      })
      const statuses = Array.from({ length: 8 }, () =>
        send(path, 'a'.repeat(200), { ...headers, ...from(attacker) }),
      )
      await arrived.promise
      expect((await send(path, '[]', headers)).status).toBe(200)
      expect(reached).toHaveLength(share + 1)
      // one after the other: each that is answered lets the next one in
      const answering = setInterval(() => held.shift()?.writeHead(200).end(), 1)
      onTestFinished(() => clearInterval(answering))
      expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual(
        Array.from({ length: 8 }, () => 200),
      )
    },
  )
})
