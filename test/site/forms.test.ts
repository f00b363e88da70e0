import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { IngestRules } from '#ingest/settings'
import type { SignUp } from '#letters/subscribers/subscriptions'
import { type Comment, newComment } from '#posts/comments/comment'
import type { Post } from '#posts/post'
import { watchBody } from '#http/body'
import { usualLimits, visitorFormLimits } from '#http/limits'
import { readTrustedRequest } from '#http/trusted-request'
import { answerForm, openFormRateLimiter } from '#site-serving/site-forms'
import { visitorCookieFor } from '#visits/cookie'
import { aWorld } from '../product/fixture'
import { aPost } from '../product/posts'
import { recordingWireServices } from '../wire/trackers-fixture'

const hello = aPost({ allowsComments: true })

const waiting = {
  id: 'c1',
  projectId: 1,
  state: 'waiting',
  writtenAt: new Date(0),
  decidedBy: undefined,
} as const

interface Setting {
  visitors?: 'daily' | 'cookie'
  isOn?: boolean
  optOut?: IngestRules['optOut']
}

/** A site whose forms are answered as the front answers them, by a desk that remembers. */
async function aSite({ visitors = 'daily', isOn = true, optOut = 'cookieless' }: Setting = {}) {
  const services = recordingWireServices()
  const written: Comment[] = []
  const signedUp: SignUp[] = []
  const intake = Object.assign(services, { context: { world: aWorld(), rulesOf: () => ({ optOut }) } })
  const fixture = {
    published: {
      siteAt: (host: string) => (host === 'nobody.test' ? undefined : { projectId: 1, isOn, visitors }),
      at: (_: number, path: string) => (path === '/blog/hello' ? hello : undefined),
    },
    comments: {
      async write({ id }: Pick<Post, 'id'>, input: unknown) {
        const { name, text } = newComment.parse(input)
        const comment: Comment = { ...waiting, postId: id, name, text }
        written.push(comment)
        return { done: true as const, comment }
      },
    },
    subscriptions: {
      async signUp(signUp: SignUp) {
        signedUp.push(signUp)
        return signUp.list === 'letters'
      },
    },
    intake,
  }
  const maySend = openFormRateLimiter()
  const server = createServer((request, response) => {
    const arrival = readTrustedRequest(request, { trusted: { by: 'nobody' }, addresses: () => [] })
    const rules = { mostBytes: visitorFormLimits.bytes.site, idleMs: 5000, rate: usualLimits().bodyRate }
    const body = watchBody(request, response, rules, () => response.destroy())
    if (body) void answerForm({ request, response, trustedRequest: arrival }, body, fixture, maySend)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // a server that listens on a port has an address of this form
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const send = (
    kind: string,
    fields: Record<string, string> | [string, string][] | FormData,
    headers: Record<string, string> = {},
  ) =>
    fetch(`${address}/_tilth/forms/${kind}`, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: fields instanceof FormData ? fields : new URLSearchParams(fields),
    })
  return { services, send, address, written, signedUp }
}

const signup = { form: 'newsletter', email: 'Ana@example.com', name: 'Ana', back: '/blog/hello?page=2' }
const visitor = '0192f0a1-7c11-4d5e-8a3f-1b2c3d4e5f60'
const [cookie = ''] = visitorCookieFor(visitor, true).split(';')

test('a form of a list that asks to confirm leads to the words about the letter', async () => {
  const { send } = await aSite()
  const fields = { ...signup, form: 'letters' }
  const plain = await send('signup', fields)
  expect(plain.headers.get('location')).toBe('/blog/hello?page=2&sent=letters#confirm-letters')
  const byScript = await send('signup', fields, { accept: 'application/json' })
  expect(await byScript.json()).toEqual({ sent: true, confirms: true })
})

test('who signs up is sent back to the form on the page, and is a person from then on', async () => {
  const { services, send, address } = await aSite()
  const answer = await send('signup', signup)

  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe('/blog/hello?page=2&sent=newsletter#form-newsletter')
  const [signedUp, identified, ...others] = services.events()
  expect(others).toEqual([])
  expect(signedUp).toMatchObject({
    name: 'signed up',
    distinctId: undefined,
    hasPerson: false,
    properties: { form: 'newsletter', $current_url: `${address}/blog/hello?page=2`, $lib: 'tilth-site' },
  })
  expect(JSON.stringify(signedUp)).not.toContain('example.com')
  expect(identified).toMatchObject({
    name: '$identify',
    hasPerson: true,
    identity: undefined,
    person: { set: { email: 'Ana@example.com', name: 'Ana' } },
  })
})

test('an address is handed to the list of the form’s name, with the person of the sign-up and their language', async () => {
  const { services, send, signedUp } = await aSite()
  await send('signup', signup, { 'accept-language': 'xx, de-CH;q=0.9' })
  const identified = services.events().find(({ name }) => name === '$identify')
  expect(signedUp).toEqual([
    {
      projectId: 1,
      list: 'newsletter',
      email: 'Ana@example.com',
      language: 'de',
      distinctId: identified?.distinctId,
    },
  ])
  await send('signup', { ...signup, website: 'https://spam.example' })
  expect(signedUp).toHaveLength(1)
})

test('an address stands for one person, however often and in whatever letters it is written', async () => {
  const { services, send } = await aSite()
  for (const email of ['ana@example.com', ' ANA@Example.com ', 'ben@example.com'])
    await send('signup', { ...signup, email })
  const [ana, again, ben] = services
    .events()
    .flatMap(({ name, distinctId }) => (name === '$identify' ? distinctId : []))
  expect(ana).toBe(again)
  expect(ben).not.toBe(ana)
})

test('a visitor of the site’s cookie signs up as who they are, and makes one person of no two', async () => {
  const { services, send } = await aSite({ visitors: 'cookie' })
  await send('signup', signup, { cookie })
  expect(services.events()).toMatchObject([
    { name: 'signed up', distinctId: visitor, identity: undefined },
    {
      name: '$identify',
      distinctId: visitor,
      identity: undefined,
      person: { set: { email: 'Ana@example.com' } },
    },
  ])
})

test.each<[string, Setting, Record<string, string>, boolean]>([
  ['asks not to be followed', { visitors: 'cookie' }, { dnt: '1' }, false],
  [
    'asks not to be followed where nobody heeds it',
    { visitors: 'cookie', optOut: 'ignore' },
    { dnt: '1' },
    true,
  ],
  ['has a cookie of a time when the site used them', { visitors: 'daily' }, {}, false],
])('anyone who %s', async (_what, setting, headers, isKnown) => {
  const { services, send } = await aSite(setting)
  await send('signup', signup, { cookie, ...headers })
  const [signedUp, identified] = services.accepted
  expect(signedUp?.events[0]?.distinctId).toBe(isKnown ? visitor : undefined)
  expect(identified?.events[0]?.hasPerson).toBe(true)
  // an address that was left on purpose is kept all the same
  expect(identified?.envelope.optedOut).toBe(false)
})

test('a form is called what its author likes', async () => {
  const { services, send } = await aSite()
  const answer = await send('signup', { ...signup, form: 'Über uns & "mehr"?', back: '/a' })
  const location = new URL(answer.headers.get('location') ?? '', 'https://site.example')
  expect([location.pathname, decodeURIComponent(location.hash)]).toEqual(['/a', '#form-Über uns & "mehr"?'])
  expect(location.searchParams.get('sent')).toBe('Über uns & "mehr"?')
  expect(services.events()[0]?.properties['form']).toBe('Über uns & "mehr"?')
})

test('a form of several parts is read as well, without its files', async () => {
  const { services, send } = await aSite()
  const form = new FormData()
  for (const [name, value] of Object.entries(signup)) form.set(name, value)
  form.set('photo', new Blob(['x']), 'x.png')
  expect((await send('signup', form)).status).toBe(303)
  expect(services.events()).toHaveLength(2)
})

test.each<[string, string, [string, string][], string, string]>([
  [
    'no address',
    'signup',
    [
      ['form', 'n'],
      ['email', 'ana@'],
      ['name', '<b>A"'],
    ],
    'email',
    'Write an address',
  ],
  [
    'no name',
    'signup',
    [
      ['form', ' '],
      ['email', 'a@b.de'],
    ],
    'form',
    'Reload its page',
  ],
])('what cannot be taken comes back with what to fix, and nothing is lost: %s', async (...given) => {
  const [, kind, fields, field, mistake] = given
  const { services, send } = await aSite()

  const page = await send(kind, fields)
  const html = await page.text()
  expect(page.status).toBe(422)
  expect(html).toContain(mistake)
  const shown = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  for (const [name, value] of fields) expect(html).toContain(`name="${name}" value="${shown(value)}"`)
  expect(html).not.toContain('<b>A')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")

  const json = await send(kind, fields, { accept: 'application/json' })
  expect(json.status).toBe(422)
  expect(await json.json()).toMatchObject({
    sent: false,
    mistakes: { [field]: expect.stringContaining(mistake) },
  })
  expect(services.events()).toEqual([])
})

test.each([
  ['//evil.example/a', '/?sent=newsletter#form-newsletter'],
  ['https://evil.example/a', '/?sent=newsletter#form-newsletter'],
  ['/\\evil.example', '/?sent=newsletter#form-newsletter'],
  ['javascript:alert(1)', '/?sent=newsletter#form-newsletter'],
  ['/a\r\nset-cookie: x=y', '/aset-cookie:%20x=y?sent=newsletter#form-newsletter'],
  ['/a#part', '/a?sent=newsletter#form-newsletter'],
  ['/a?sent=other&q=1', '/a?q=1&sent=newsletter#form-newsletter'],
  ['', '/?sent=newsletter#form-newsletter'],
])('no one is sent to another site: %j leads to %j', async (back, location) => {
  const { send } = await aSite()
  expect((await send('signup', { ...signup, back })).headers.get('location')).toBe(location)
})

test('nor by the site’s own address with another one behind it', async () => {
  const { send, address } = await aSite()
  const answer = await send('signup', { ...signup, back: `${address}//evil.example/a` })
  expect(answer.headers.get('location')).toBe('/evil.example/a?sent=newsletter#form-newsletter')
})

test('the page that a form came from is where it leads back to, if the form does not say', async () => {
  const { send, address } = await aSite()
  const { back: _, ...fields } = signup
  const from = await send('signup', fields, { referer: `${address}/about` })
  expect(from.headers.get('location')).toBe('/about?sent=newsletter#form-newsletter')
})

describe('a comment', () => {
  const thanks = { form: 'comment', post: '/blog/hello', name: 'Ben', text: 'Thank you.\r\nReally.' }

  test('is written down below its post, and told as an event without what it says', async () => {
    const { services, send, written } = await aSite()
    const answer = await send('comment', thanks)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/?sent=comment#form-comment'])
    expect(written).toMatchObject([{ postId: '1', name: 'Ben', text: 'Thank you.\nReally.' }])
    expect(services.events()).toMatchObject([{ name: 'commented', properties: { post: '/blog/hello' } }])
    expect(JSON.stringify(services.events())).not.toContain('Thank you')
  })

  test.each([
    [{ post: '/blog/gone' }, /no longer exists/],
    [{ text: ' ' }, /Enter a comment/],
    [{ name: '' }, /Enter your name/],
  ])('with %j comes back with what to fix, and all its lines', async (fields, says) => {
    const { services, send, written } = await aSite()
    const answer = await send('comment', { ...thanks, ...fields })
    const page = await answer.text()
    expect(answer.status).toBe(422)
    expect(page).toMatch(says)
    if (!('text' in fields)) expect(page).toMatch(/<textarea[^>]*>\nThank you\.\r?\nReally\.<\/textarea>/)
    expect({ written, events: services.events() }).toEqual({ written: [], events: [] })
  })
})

test('a program that fills in what no one sees is told what it wants to hear', async () => {
  const { services, send } = await aSite()
  expect((await send('signup', { ...signup, website: 'https://spam.example' })).status).toBe(303)
  expect(services.events()).toEqual([])
})

test('asked by a script, it answers in JSON', async () => {
  const { send } = await aSite()
  const answer = await send('signup', signup, { accept: 'application/json' })
  expect([answer.status, await answer.json()]).toEqual([200, { sent: true }])
})

test('from one network comes so much and no more, and what was written comes back', async () => {
  const { services, send } = await aSite()
  for (let time = 0; time < 30; time++) await send('signup', { ...signup, email: `a${time}@example.com` })
  const turnedAway = await send('signup', { ...signup, email: 'late@example.com' })
  expect(turnedAway.status).toBe(429)
  expect(turnedAway.headers.get('retry-after')).toBe('600')
  expect(await turnedAway.text()).toContain('value="late@example.com"')
  expect(services.events()).toHaveLength(60)
})

test('while nothing can be written down, it is to be sent again', async () => {
  const { services, send } = await aSite()
  services.outcome = 'full'
  const answer = await send('signup', signup)
  expect(answer.status).toBe(503)
  expect(await answer.text()).toContain('value="Ana@example.com"')
})

test.each<[string, Setting, string]>([
  ['of another kind', {}, 'constructor'],
  ['of no kind', {}, ''],
  ['where there is no site', { isOn: false }, 'signup'],
])('a form %s is no one’s', async (_what, setting, kind) => {
  const { services, send } = await aSite(setting)
  expect((await send(kind, signup)).status).toBe(404)
  expect(services.events()).toEqual([])
})

test('what is no form is not read', async () => {
  const { address } = await aSite()
  const answer = await fetch(`${address}/_tilth/forms/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(signup),
  })
  expect(answer.status).toBe(400)
})
