import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  openTestProduct,
  aWorld,
  anApp,
  requireDone,
  requireSignedIn,
  problemMessages,
  memberHelpers,
  present,
  testOrigin,
} from '#test/product/fixture'
import { aServer, anOidcProvider, type ProviderClaims } from '#test/outside/real-oidc-provider'
import { openProduct, type Product } from '#server/product'
import { type MemberViewer, operator, requireRecentPassword } from '../access'
import type { OidcSettings } from '../oidc-settings'

const studio = 'http://localhost:3000'
const redirectUri = `${studio}/studio/oidc/callback`

/** A Tilth whose members come in by this provider. */
async function aTilthWith(origin: string, more: Partial<OidcSettings> = {}) {
  const fixture = await openTestProduct()
  const settings: OidcSettings = {
    issuer: origin,
    clientId: 'tilth',
    clientSecret: 'a secret of the client',
    name: 'Acme ID',
    domains: [],
    mayJoin: true,
    isRequired: false,
    groupsClaim: 'groups',
    groupRoles: [],
    ...more,
  }
  const product = await openProduct({
    store: { folder: fixture.folder },
    // the provider's clock is the real one
    world: { now: () => new Date(), random: aWorld('oidc').random },
    outbound: {
      allow: origin.replace('http://', ''),
      canMail: false,
      addresses: [studio],
      oidc: settings,
    },
  })
  onTestFinished(() => product.close())
  const oidc = present(product.signIn.oidc)
  const finish = (search: string, token: string | undefined) =>
    oidc.finish(search, token, { viewer: undefined, origin: testOrigin, source: {} })
  return { ...fixture, ...memberHelpers(product), world: { now: () => new Date() }, product, oidc, finish }
}

const aRealProvider = (...provider: [ProviderClaims?, { reportsAuthTime: boolean }?]) =>
  anOidcProvider(() => redirectUri, ...provider)

/** A browser that follows where it is sent, until it is sent back to the studio. The jar holds its cookies. */
async function searchAfter(address: string, jar = new Map<string, string>()): Promise<string> {
  let next = address
  while (!next.startsWith(redirectUri)) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(next, { redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    const location = answer.headers.get('location')
    if (!location) throw new Error(`${next} was answered with ${answer.status}: ${await answer.text()}`)
    next = new URL(location, next).href
  }
  return new URL(next).search
}

type Tilth = Awaited<ReturnType<typeof aTilthWith>>

async function signInBy({ oidc, finish }: Tilth, jar?: Map<string, string>) {
  const { address, token } = requireDone(await oidc.begin('/studio'))
  return await finish(await searchAfter(address, jar), token)
}

/** Signs in once, and confirms five minutes later with the same session at the provider and a changed address. */
async function confirmAfter(change: (searchParams: URLSearchParams) => void) {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { origin } = await aRealProvider()
  const tilth = await aTilthWith(origin)
  const jar = new Map<string, string>()
  const { address, token } = requireDone(await tilth.oidc.begin('/studio'))
  const { way } = requireDone(await tilth.finish(await searchAfter(address, jar), token))
  const session = requireSignedIn({ done: true, ...present(way) }).token
  const viewer = async () => present(await tilth.product.signIn.sessions.viewer(session, testOrigin))
  const before = await viewer()
  vi.setSystemTime(Date.now() + 5 * 60_000)

  const confirmation = requireDone(await tilth.oidc.beginConfirmation('/studio/account', before))
  const asked = new URL(confirmation.address)
  change(asked.searchParams)
  const search = await searchAfter(asked.href, jar)
  const outcome = await tilth.oidc.finish(search, confirmation.token, {
    viewer: before,
    origin: testOrigin,
    source: {},
  })
  const isRecent = (await viewer()).authenticatedAt.getTime() > before.authenticatedAt.getTime()
  return { outcome, isRecent }
}

/** The member, after entering a password as well. */
const recently = (viewer: MemberViewer): MemberViewer => ({ ...viewer, authenticatedAt: new Date() })

function countsAsRecent(viewer: MemberViewer): boolean {
  try {
    requireRecentPassword(viewer, new Date())
    return true
  } catch {
    return false
  }
}

async function viewerAfter(tilth: Tilth, jar?: Map<string, string>) {
  const { way } = requireDone(await signInBy(tilth, jar))
  return present(
    await tilth.product.signIn.sessions.viewer(
      requireSignedIn({ done: true, ...present(way) }).token,
      testOrigin,
    ),
  )
}

describe('with a real provider', () => {
  test('a user comes in, becomes a member once, and is known by issuer and subject afterwards', async () => {
    const { origin, user } = await aRealProvider()
    const tilth = await aTilthWith(origin)
    const first = await viewerAfter(tilth)
    user['email'] = 'ana@new.example'
    const second = await viewerAfter(tilth)

    expect(first).toMatchObject({ name: 'Ana Berg', email: 'ana@acme.example', roles: new Map() })
    expect(second.memberId).toBe(first.memberId)
  })

  test('the address leads to the provider with PKCE, state, nonce and exactly our address', async () => {
    const { origin } = await aRealProvider()
    const { oidc } = await aTilthWith(origin)
    const { address } = requireDone(await oidc.begin('/studio'))

    expect(Object.fromEntries(new URL(address).searchParams)).toMatchObject({
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
  })

  test('a callback works once, in the browser that began it, within ten minutes', async () => {
    const { origin } = await aRealProvider()
    const tilth = await aTilthWith(origin)
    const { address, token } = requireDone(await tilth.oidc.begin('/studio'))
    const search = await searchAfter(address)
    const other = requireDone(await tilth.oidc.begin('/studio'))

    expect(problemMessages(await tilth.finish(search, undefined))[0]).toContain('not begun in this browser')
    expect(problemMessages(await tilth.finish(search, `${token.slice(0, -2)}xx`))[0]).toContain('not begun')
    expect(problemMessages(await tilth.finish(search, other.token))[0]).toContain('did not confirm')
    requireDone(await tilth.finish(search, token))
    expect(problemMessages(await tilth.finish(search, token))[0]).toContain('took too long')
  })

  test('a repeated sign-in at the provider counts as entering the password', async () => {
    const { outcome, isRecent } = await confirmAfter(() => {})

    requireDone(outcome)
    expect(isRecent).toBe(true)
  })

  test.each<[string, (searchParams: URLSearchParams) => void]>([
    [
      'does not ask for one',
      (searchParams) => ['prompt', 'max_age'].forEach((name) => searchParams.delete(name)),
    ],
    [
      'accepts one of long ago',
      (searchParams) => {
        searchParams.delete('prompt')
        searchParams.set('max_age', '86400')
      },
    ],
  ])(
    'no repeated sign-in is believed where the browser changed the address so that it %s',
    async (_, change) => {
      const { outcome, isRecent } = await confirmAfter(change)

      expect(problemMessages(outcome)[0]).toContain('without asking you to sign in again')
      expect(isRecent).toBe(false)
    },
  )

  test('a sign-in is as recent as the provider’s authentication of the user', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { origin } = await aRealProvider({}, { reportsAuthTime: true })
    const tilth = await aTilthWith(origin)
    const jar = new Map<string, string>()
    expect(countsAsRecent(await viewerAfter(tilth, jar))).toBe(true)
    vi.setSystemTime(Date.now() + 20 * 60_000)

    // the provider’s own session answers, and nothing is asked
    expect(countsAsRecent(await viewerAfter(tilth, jar))).toBe(false)
  })

  test('a sign-in is not recent where the provider does not say when it authenticated the user', async () => {
    const { origin } = await aRealProvider()

    expect(countsAsRecent(await viewerAfter(await aTilthWith(origin)))).toBe(false)
  })

  test('the code of an authenticator app does not make a sign-in through the provider recent', async () => {
    const { origin } = await aRealProvider()
    const tilth = await aTilthWith(origin)
    const { recoveryCodes } = await anApp(tilth, recently(await viewerAfter(tilth)))
    const { way } = requireDone(await signInBy(tilth))
    const step = present(way?.step)
    const code = recoveryCodes[0]
    const answer = requireDone(await tilth.product.signIn.finish(step.token, { code }, testOrigin))

    expect(
      countsAsRecent(present(await tilth.product.signIn.sessions.viewer(answer.token, testOrigin))),
    ).toBe(false)
  })

  test('a confirmation counts for the session that asked for it, and for no other of its member', async () => {
    const { origin } = await aRealProvider()
    const tilth = await aTilthWith(origin)
    const [asking, other] = [await viewerAfter(tilth), await viewerAfter(tilth)]
    const { address, token } = requireDone(await tilth.oidc.beginConfirmation('/studio/account', asking))
    const search = await searchAfter(address)
    const from = { origin: testOrigin, source: {} }

    expect(problemMessages(await tilth.oidc.finish(search, token, { ...from, viewer: other }))[0]).toContain(
      'session has ended',
    )
  })

  test('groups give roles at each sign-in and take away only what they gave', async () => {
    const { origin, user } = await aRealProvider({ groups: ['staff', 'admins'] })
    const tilth = await aTilthWith(origin, {
      groupRoles: [
        { group: 'staff', project: 'acme', role: 'viewer' },
        { group: 'admins', project: 'acme', role: 'admin' },
        { group: 'owners', project: 'acme', role: 'owner' },
      ],
    })
    const acme = await tilth.aProject()
    const other = await tilth.aProject({ name: 'Other' })
    const owner = await tilth.aMember({ role: 'owner', name: 'Olga Owner' })
    const first = await viewerAfter(tilth)
    expect([...first.roles]).toEqual([[acme.id, 'admin']])
    const { token } = requireDone(
      await tilth.product.projects.invitations.create(other.id, { role: 'editor' }, operator()),
    )
    requireDone(await tilth.product.projects.invitations.accept(token, first))
    user['groups'] = ['staff']
    expect([...(await viewerAfter(tilth)).roles]).toEqual([
      [acme.id, 'viewer'],
      [other.id, 'editor'],
    ])
    user['groups'] = ['owners']
    const last = await viewerAfter(tilth)
    requireDone(await tilth.product.projects.members.remove(acme.id, owner.id, operator()))
    user['groups'] = []

    expect((await viewerAfter(tilth)).roles.get(acme.id)).toBe('owner')
    expect(last.roles.get(acme.id)).toBe('owner')
  })

  test.each<[string, ProviderClaims, Partial<OidcSettings>, string]>([
    ['an address that is not verified', { email_verified: false }, {}, 'no verified e-mail address'],
    ['an address that is verified in words', { email_verified: 'true' }, {}, 'no verified e-mail address'],
    ['no address', { email: undefined }, {}, 'no verified e-mail address'],
    ['an address of another domain', {}, { domains: ['other.example'] }, 'no verified e-mail address'],
    ['nobody’s account', {}, { mayJoin: false }, 'not a member'],
  ])('%s does not come in', async (_, claims, settings, words) => {
    const { origin } = await aRealProvider(claims)

    expect(problemMessages(await signInBy(await aTilthWith(origin, settings)))[0]).toContain(words)
  })

  test('a member’s address alone is not the member: it is linked in a live session', async () => {
    const { origin } = await aRealProvider({ email: 'ana.berg@acme.example' })
    const tilth = await aTilthWith(origin)
    await tilth.aProject()
    const ana = await tilth.aMember()
    expect(problemMessages(await signInBy(tilth))[0]).toContain('already. Sign in with the password')
    const viewer = await tilth.signedIn(ana)
    const { address, token } = requireDone(await tilth.oidc.begin('/studio/account', viewer))
    const search = await searchAfter(address)
    const stranger = await tilth.signedIn(await tilth.aMember({ name: 'Stan Stranger' }))
    const from = { origin: testOrigin, source: {} }
    expect(
      problemMessages(await tilth.oidc.finish(search, token, { ...from, viewer: stranger }))[0],
    ).toContain('session has ended')
    const again = requireDone(await tilth.oidc.begin('/studio/account', viewer))
    requireDone(await tilth.oidc.finish(await searchAfter(again.address), again.token, { ...from, viewer }))

    expect((await viewerAfter(tilth)).memberId).toBe(ana.id)
  })

  test('an invitation to the verified address lets its holder in where no one may join by themselves', async () => {
    const { origin } = await aRealProvider()
    const tilth = await aTilthWith(origin, { mayJoin: false })
    const acme = await tilth.aProject()
    const wanted = { role: 'editor', email: 'ana@acme.example' }
    requireDone(await tilth.product.projects.invitations.create(acme.id, wanted, operator()))

    expect([...(await viewerAfter(tilth)).roles]).toEqual([[acme.id, 'editor']])
  })

  test('a member with an authenticator app is asked for its code after the provider, too', async () => {
    const { origin } = await aRealProvider()
    const tilth = await aTilthWith(origin)
    await anApp(tilth, recently(await viewerAfter(tilth)))

    expect(requireDone(await signInBy(tilth)).way?.step?.token).toHaveLength(43)
  })

  test('passwords open nothing where the provider is required', async () => {
    const { origin } = await aRealProvider()
    const { product } = await aTilthWith(origin, { isRequired: true })
    const answer = await product.signIn.signIn({ email: 'ana@acme.example', password: 'x' }, testOrigin)

    expect(problemMessages(answer)).toEqual(['Sign in with Acme ID: passwords are switched off here.'])
  })
})

/** A provider that signs whatever it is told to. */
async function aHostileProvider(lie: {
  claims?: ProviderClaims
  isForged?: boolean
  algorithm?: string
  metadata?: ProviderClaims
}) {
  const [own, foreign] = [newKey(), newKey()]
  let nonce = ''
  const { origin } = await aServer((issuer) => (request, response) => {
    const path = request.url?.split('?')[0]
    const answers: Record<string, () => unknown> = {
      '/.well-known/openid-configuration': () => ({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        authorization_response_iss_parameter_supported: true,
        ...lie.metadata,
      }),
      '/jwks': () => ({
        keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }],
      }),
      '/token': () => {
        const now = Math.floor(Date.now() / 1000)
        const verified = { email: 'ana@acme.example', email_verified: true, nonce }
        const claims = { iss: issuer, sub: 'user-7', aud: 'tilth', iat: now, exp: now + 60, ...verified }
        const key = (lie.isForged ? foreign : own).privateKey
        const idToken = signed({ ...claims, ...lie.claims }, key, lie.algorithm)
        return { access_token: 'x', token_type: 'Bearer', id_token: idToken }
      },
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answers[path ?? '']?.() ?? {}))
  })
  const expectNonce = (address: string) => (nonce = new URL(address).searchParams.get('nonce') ?? '')
  return { origin, expectNonce }
}

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

function signed(claims: ProviderClaims, key: KeyObject, algorithm = 'RS256'): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: algorithm, kid: 'one', typ: 'JWT' })}.${part(claims)}`
  const signature = createSign('RSA-SHA256').update(text).sign(key).toString('base64url')
  return `${text}.${algorithm === 'none' ? '' : signature}`
}

async function cameBack(lie: Parameters<typeof aHostileProvider>[0], query: Record<string, string> = {}) {
  const { origin, expectNonce } = await aHostileProvider(lie)
  const tilth = await aTilthWith(origin)
  const { address, token } = requireDone(await tilth.oidc.begin('/studio'))
  expectNonce(address)
  const state = new URL(address).searchParams.get('state') ?? ''
  const search = new URLSearchParams({ code: 'a-code', state, iss: origin, ...query })
  return await tilth.finish(`?${String(search)}`, token)
}

describe('a provider’s answer', () => {
  test('is believed where everything is as it should be', async () => {
    requireDone(await cameBack({}))
  })

  test.each<[string, Parameters<typeof cameBack>]>([
    ['another state', [{}, { state: 'another' }]],
    ['another issuer in the address (mix-up)', [{}, { iss: 'https://evil.example' }]],
    ['an error instead of a code', [{}, { error: 'access_denied' }]],
    ['another nonce', [{ claims: { nonce: 'another' } }]],
    ['no nonce', [{ claims: { nonce: undefined } }]],
    ['another issuer', [{ claims: { iss: 'https://evil.example' } }]],
    ['another audience', [{ claims: { aud: 'somebody-else' } }]],
    ['a token that has run out', [{ claims: { exp: Math.floor(Date.now() / 1000) - 3600 } }]],
    ['a signature by another key', [{ isForged: true }]],
    ['no signature', [{ algorithm: 'none' }]],
    ['a description of another issuer', [{ metadata: { issuer: 'https://evil.example' } }]],
  ])('is not believed with %s', async (_, given) => {
    const answer = await cameBack(...given).catch((problem: unknown) => problem)

    // the description of another issuer is refused before the browser is sent anywhere
    if (answer instanceof Error) expect(answer.message).toContain('cannot be reached')
    else expect(problemMessages(answer as never)[0]).toContain('did not confirm')
  })

  test('is not even asked for where the provider stands in a network that is closed to Tilth', async () => {
    const { origin } = await aHostileProvider({})
    const fixture = await openTestProduct()
    const settings = { issuer: origin, clientId: 'tilth', clientSecret: 'x', name: 'Acme ID' }
    const more = { domains: [], mayJoin: true, isRequired: false, groupsClaim: 'groups', groupRoles: [] }
    const product: Product = await openProduct({
      store: { folder: fixture.folder },
      world: { now: fixture.world.now, random: aWorld('oidc').random },
      outbound: { allow: undefined, canMail: false, addresses: [studio], oidc: { ...settings, ...more } },
    })
    onTestFinished(() => product.close())

    expect(problemMessages(await present(product.signIn.oidc).begin('/studio'))[0]).toContain(
      'cannot be reached',
    )
  })
})
