import { createHash } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { may, operator, type Role } from '#projects/access'
import { requestOrigin } from '#projects/origin'
import { openStore } from '#store/open'
import { aClientDocument } from '#test/outside/client-document'
import { openTestProduct, present, requireDone, testOrigin } from '#test/product/fixture'
import type { AgentLevel } from './levels'
import { openAgentAccess } from './open'

const issuer = 'https://tilth.example'
const redirectUri = 'http://127.0.0.1:7777/callback'
const verifier = 'a-verifier-of-the-least-length-that-is-allowed'
const challengeOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/** A project with a member, and a program that asks to act for them. */
async function anAssistant({
  role = 'editor',
  redirectUris = [redirectUri],
}: { role?: Role; redirectUris?: string[] } = {}) {
  const fixture = await openTestProduct()
  const { product, aProject, aMember, signedIn } = fixture
  const acme = await aProject({ name: 'Acme' })
  await aMember({ role: 'owner', name: 'Olga' })
  const ada = await aMember({ role, name: 'Ada' })
  const { agentAccess } = product
  const registered = await agentAccess.clients.register({
    client_name: 'Claude Code',
    redirect_uris: redirectUris,
  })
  if (!registered.granted) throw new Error(registered.why)
  const request = {
    response_type: 'code',
    client_id: registered.client.id,
    redirect_uri: redirectUri,
    state: 'abc',
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    resource: `${issuer}/mcp`,
  }
  const approve = async (level: AgentLevel = 'read', given: object = request) =>
    await agentAccess.consent.approve(given, { project: acme.id, level }, await signedIn(ada), issuer)
  const codeFor = async (level?: AgentLevel) =>
    new URL(requireDone(await approve(level)).location).searchParams.get('code') ?? ''
  const exchange = async (code: string, changed: object = {}) =>
    await agentAccess.tokens.exchange(
      {
        grant_type: 'authorization_code',
        code,
        client_id: request.client_id,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        resource: request.resource,
        ...changed,
      },
      testOrigin,
    )
  const refresh = async (refresh_token: string, changed: object = {}) =>
    await agentAccess.tokens.exchange(
      { grant_type: 'refresh_token', refresh_token, client_id: request.client_id, ...changed },
      testOrigin,
    )
  const tokens = async (level?: AgentLevel) => {
    const granted = await exchange(await codeFor(level))
    if (!granted.granted) throw new Error(granted.why)
    return granted
  }
  const viewer = async (token: string) => await agentAccess.viewer(token, testOrigin)
  const log = async () => await product.projects.audit.list(acme.id, {}, operator())
  return {
    ...fixture,
    acme,
    ada,
    agentAccess,
    request,
    approve,
    codeFor,
    exchange,
    refresh,
    tokens,
    viewer,
    log,
  }
}

test('an assistant gets what the member of this moment may, under both names', async () => {
  const { product, acme, ada, tokens, viewer, log } = await anAssistant()
  const { accessToken } = await tokens('change')
  const agent = present(await viewer(accessToken))
  expect(agent).toMatchObject({ kind: 'agent', name: 'Ada, through Claude Code', memberId: ada.id })
  requireDone(await product.flags.create(acme.id, { key: 'checkout' }, agent))
  expect((await log())[0]).toMatchObject({
    action: 'flag.create',
    actor: { kind: 'agent', id: agent.connectionId, name: 'Ada, through Claude Code' },
  })

  requireDone(await product.projects.members.changeRole(acme.id, ada.id, { role: 'viewer' }, operator()))
  const demoted = present(await viewer(accessToken))
  expect(may('flags:write', acme.id, demoted)).toBe(false)
  expect(may('sql:read', acme.id, demoted)).toBe(false)
  expect(may('events:read', acme.id, demoted)).toBe(true)
  await expect(product.flags.create(acme.id, { key: 'other' }, demoted)).rejects.toThrow(
    'The member who connected the assistant did not allow it',
  )
})

test.each([
  ['read', ['events:read', 'sql:read'], ['proposals:write', 'flags:write', 'keys:read', 'members:read']],
  ['propose', ['events:read', 'proposals:write'], ['flags:write', 'posts:write', 'keys:read']],
  [
    'change',
    ['proposals:write', 'flags:write', 'posts:write'],
    ['keys:write', 'persons:write', 'site:write'],
  ],
] as const)('the level "%s" is this and no more', async (level, has, lacks) => {
  const { acme, tokens, viewer } = await anAssistant({ role: 'owner' })
  const agent = present(await viewer((await tokens(level)).accessToken))
  expect(has.filter((right) => !may(right, acme.id, agent))).toEqual([])
  expect(lacks.filter((right) => may(right, acme.id, agent))).toEqual([])
})

test('a token of one project opens no other, and a refused project looks like a missing one', async () => {
  const { product, aProject, tokens, viewer } = await anAssistant({ role: 'owner' })
  const other = await aProject({ name: 'Other' })
  const agent = present(await viewer((await tokens('change')).accessToken))
  expect(may('events:read', other.id, agent)).toBe(false)
  await expect(product.flags.list(other.id, agent)).rejects.toMatchObject({ reason: 'not-found' })
})

test.each(['propose', 'change'] as const)('a viewer cannot let an assistant %s', async (level) => {
  const { approve } = await anAssistant({ role: 'viewer' })
  await expect(approve(level)).rejects.toMatchObject({ reason: 'not-allowed' })
})

test('an unlocked screen is not enough to let an assistant in', async () => {
  const { agentAccess, acme, ada, signedIn, world, request } = await anAssistant()
  const viewer = await signedIn(ada)
  world.advance('11 minutes')
  const chosen = { project: acme.id, level: 'read' }
  await expect(agentAccess.consent.approve(request, chosen, viewer, issuer)).rejects.toMatchObject({
    reason: 'confirm-password',
  })
})

test('a member who is removed has no assistant, neither when they join once more', async () => {
  const { product, acme, ada, world, tokens, viewer, signedIn } = await anAssistant()
  const { accessToken } = await tokens()
  requireDone(await product.projects.members.remove(acme.id, ada.id, operator()))
  expect(await viewer(accessToken)).toBeUndefined()
  world.advance('1 minute')
  const invitation = requireDone(
    await product.projects.invitations.create(acme.id, { role: 'editor' }, operator()),
  )
  requireDone(await product.projects.invitations.accept(invitation.token, await signedIn(ada)))
  expect(await viewer(accessToken)).toBeUndefined()
})

test('a project that begins to require a second factor closes to consents without one', async () => {
  const { product, acme, tokens, viewer } = await anAssistant()
  const { accessToken } = await tokens()
  requireDone(await product.signIn.rules.changeProject(acme.id, { requireSecondFactor: true }, operator()))
  expect(await viewer(accessToken)).toBeUndefined()
})

test('a code works once; its replay ends everything that came from it', async () => {
  const { codeFor, exchange, refresh, viewer, log } = await anAssistant()
  const code = await codeFor()
  const granted = await exchange(code)
  if (!granted.granted) throw new Error(granted.why)
  expect(await viewer(granted.accessToken)).toBeDefined()
  expect(await exchange(code)).toMatchObject({ error: 'invalid_grant' })
  expect(await viewer(granted.accessToken)).toBeUndefined()
  expect(await refresh(granted.refreshToken)).toMatchObject({ error: 'invalid_grant' })
  expect((await log())[0]).toMatchObject({
    action: 'agent.revoke',
    subject: 'Claude Code',
    after: { reason: 'a code was used twice' },
  })
})

test('of two exchanges of one code at the same moment at most one is granted, and then revoked', async () => {
  const { codeFor, exchange, viewer } = await anAssistant()
  const code = await codeFor()
  const answers = await Promise.all([exchange(code), exchange(code), exchange(code)])
  const granted = answers.flatMap((answer) => (answer.granted ? [answer] : []))
  expect(granted).toHaveLength(1)
  expect(await viewer(granted[0]?.accessToken ?? '')).toBeUndefined()
})

test.each([
  ['another verifier', { code_verifier: 'b'.repeat(43) }, 'invalid_grant'],
  ['the challenge as the verifier', { code_verifier: challengeOf(verifier) }, 'invalid_grant'],
  ['another client', { client_id: 'another' }, 'invalid_grant'],
  ['another redirect URI', { redirect_uri: 'http://127.0.0.1:1/callback' }, 'invalid_grant'],
  ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
  ['no verifier', { code_verifier: undefined }, 'invalid_request'],
  ['another grant', { grant_type: 'password' }, 'unsupported_grant_type'],
])('an exchange with %s is refused', async (_, changed, error) => {
  const { codeFor, exchange } = await anAssistant()
  expect(await exchange(await codeFor(), changed)).toMatchObject({ granted: false, error })
})

test('a code ends after a minute, an access token after an hour, a refresh token after 30 days', async () => {
  const { world, codeFor, exchange, tokens, refresh, viewer } = await anAssistant()
  const code = await codeFor()
  world.advance('61 seconds')
  expect(await exchange(code)).toMatchObject({ error: 'invalid_grant' })

  const { accessToken, refreshToken, expiresInSeconds } = await tokens()
  expect(expiresInSeconds).toBe(3600)
  world.advance('61 minutes')
  expect(await viewer(accessToken)).toBeUndefined()
  const renewed = await refresh(refreshToken)
  if (!renewed.granted) throw new Error(renewed.why)
  expect(await viewer(renewed.accessToken)).toBeDefined()
  world.advance('31 days')
  expect(await refresh(renewed.refreshToken)).toMatchObject({ error: 'invalid_grant' })
})

test('a refresh token rotates, and a replay ends the whole family', async () => {
  const { tokens, refresh, viewer } = await anAssistant()
  const { refreshToken } = await tokens()
  const second = await refresh(refreshToken)
  if (!second.granted) throw new Error(second.why)
  expect(await refresh(second.refreshToken, { client_id: 'another' })).toMatchObject({
    error: 'invalid_grant',
  })
  expect(await refresh(refreshToken)).toMatchObject({ error: 'invalid_grant' })
  expect(await viewer(second.accessToken)).toBeUndefined()
})

test('an assistant that signs out ends its own access, and no other client can', async () => {
  const { agentAccess, tokens, viewer, request } = await anAssistant()
  const { accessToken, refreshToken } = await tokens()
  await agentAccess.tokens.revoke({ token: refreshToken, client_id: 'another' }, testOrigin)
  expect(await viewer(accessToken)).toBeDefined()
  await agentAccess.tokens.revoke({ token: refreshToken, client_id: request.client_id }, testOrigin)
  expect(await viewer(accessToken)).toBeUndefined()
})

test.each([
  ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
  ['an implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
  ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
])('a request with %s goes back with an error', async (_, changed, error) => {
  const { agentAccess, request, approve } = await anAssistant()
  const read = await agentAccess.consent.read({ ...request, ...changed }, issuer)
  expect(read.isFit).toBe(false)
  const { searchParams, origin } = new URL((!read.isFit && read.location) || 'about:blank')
  expect(origin).toBe('http://127.0.0.1:7777')
  expect(Object.fromEntries(searchParams)).toMatchObject({ error, state: 'abc', iss: issuer })
  expect(await approve('read', { ...request, ...changed })).toMatchObject({ done: false })
})

test.each([
  ['another host', 'https://evil.example/callback'],
  ['another path', 'http://127.0.0.1:7777/other'],
  ['another query', 'http://127.0.0.1:7777/callback?to=evil'],
  ['a fragment', 'http://127.0.0.1:7777/callback#evil'],
  ['a name and password', 'http://127.0.0.1:7777@evil.example/callback'],
  ['https on loopback', 'https://127.0.0.1:7777/callback'],
  ['another loopback name', 'http://localhost:7777/callback'],
])('a redirect to %s is told to the member alone', async (_, redirect_uri) => {
  const { agentAccess, request, approve } = await anAssistant()
  const read = await agentAccess.consent.read({ ...request, redirect_uri }, issuer)
  expect(read).toMatchObject({ isFit: false, location: undefined })
  expect(await approve('read', { ...request, redirect_uri })).toMatchObject({ done: false })
})

test('the port of a redirect to this machine is free, that of another host is not', async () => {
  const { agentAccess, request } = await anAssistant({
    redirectUris: [redirectUri, 'https://desk.example/callback'],
  })
  const isFit = async (redirect_uri: string) =>
    (await agentAccess.consent.read({ ...request, redirect_uri }, issuer)).isFit
  expect(await isFit('http://127.0.0.1:50123/callback')).toBe(true)
  expect(await isFit('https://desk.example/callback')).toBe(true)
  expect(await isFit('https://desk.example:8443/callback')).toBe(false)
})

test.each([
  ['http elsewhere', ['http://desk.example/callback']],
  ['another scheme', ['cursor://callback']],
  ['a script', ['javascript:alert(1)']],
  ['a fragment', ['https://desk.example/#callback']],
  ['none', []],
])('a client with redirects of %s is not registered', async (_, redirect_uris) => {
  const { agentAccess } = await anAssistant()
  expect(await agentAccess.clients.register({ redirect_uris })).toMatchObject({
    error: 'invalid_redirect_uri',
  })
})

test('a flood of registrations leaves a bounded number, and takes nothing from those with access', async () => {
  const { agentAccess, tokens, codeFor, database } = await anAssistant()
  await tokens()
  for (let i = 0; i < 510; i++)
    await agentAccess.clients.register({ redirect_uris: [`https://flood.example/${i}`] })
  expect(database((file) => file.prepare('select count(*) as count from agent_clients').get())).toEqual({
    count: 501,
  })
  expect(await codeFor()).not.toBe('')
})

test('a refusal goes back as access_denied', async () => {
  const { agentAccess, request } = await anAssistant()
  const { location } = requireDone(await agentAccess.consent.deny(request, issuer))
  expect(Object.fromEntries(new URL(location).searchParams)).toMatchObject({
    error: 'access_denied',
    state: 'abc',
    iss: issuer,
  })
})

test('a project without assistants lets none in', async () => {
  const { agentAccess, acme, approve } = await anAssistant()
  requireDone(await agentAccess.change(acme.id, { mayConnect: false }, operator()))
  expect(await approve()).toMatchObject({ done: false })
})

test('a member ends their own assistant, and not that of another', async () => {
  const { agentAccess, acme, ada, aMember, signedIn, tokens, viewer } = await anAssistant()
  const { accessToken } = await tokens()
  const [connection] = await agentAccess.list(acme.id, operator())
  const id = present(connection).id
  const ben = await signedIn(await aMember({ role: 'editor', name: 'Ben' }))
  await expect(agentAccess.revoke(acme.id, id, ben)).rejects.toMatchObject({ reason: 'not-allowed' })
  requireDone(await agentAccess.revoke(acme.id, id, await signedIn(ada)))
  expect(await viewer(accessToken)).toBeUndefined()
})

test('no token, code or address is in the store as it was sent', async () => {
  const { database, codeFor, exchange, agentAccess } = await anAssistant()
  const code = await codeFor()
  const granted = await exchange(code)
  if (!granted.granted) throw new Error(granted.why)
  const address = '203.0.113.77'
  await agentAccess.viewer(
    granted.accessToken,
    requestOrigin({ address, userAgent: 'node', requestId: 'req-2' }),
  )
  const kept = database((file) =>
    ['agent_tokens', 'agent_connections', 'audit'].map((table) =>
      file.prepare(`select * from ${table}`).all(),
    ),
  )
  const text = JSON.stringify(kept)
  expect(text).toContain('203.0.113.0/24')
  const secrets = [code, granted.accessToken, granted.refreshToken, address]
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
})

test.each([
  ['an address of this network', 'https://192.168.1.1/client.json', 'not on the open internet'],
  ['an address without a path', 'https://desk.example/', 'https address with a path'],
  ['http', 'http://desk.example/client.json', 'https address with a path'],
])('a client that is described at %s is not read', async (_, client_id, why) => {
  const { agentAccess, request } = await anAssistant()
  const read = await agentAccess.consent.read({ ...request, client_id }, issuer)
  expect(read).toMatchObject({ isFit: false, why: expect.stringContaining(why) })
})

test('a name that resolves to this machine is not reached for a description', async () => {
  let asked = 0
  const document = await aClientDocument((client_id) => {
    asked++
    return { client_id, redirect_uris: [redirectUri] }
  })
  const { world, folder, request } = await anAssistant()
  const { store, close } = await aStore(folder)
  onTestFinished(close)
  const agentAccess = openAgentAccess({
    store,
    world,
    allow: undefined,
    resolve: async () => ['127.0.0.1'],
  })
  const client_id = document.replace('localhost', 'desk.example')
  const read = await agentAccess.consent.read({ ...request, client_id }, issuer)
  expect(read).toMatchObject({ isFit: false, why: expect.stringContaining('not on the open internet') })
  expect(asked).toBe(0)
})

async function aStore(folder: string) {
  const store = await openStore({ folder })
  return { store, close: () => store.close() }
}
