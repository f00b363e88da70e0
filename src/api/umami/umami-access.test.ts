import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requireDone } from '#test/product/fixture'
import { anEngine } from '#test/product/test-engine'
import { bothDays, openUmamiSite, searchOf, story, website } from '#test/wire/umami-site'
import { operator, type Right } from '#projects/access'
import { umamiAddressIn } from './internal/addresses'
import { endpoints } from './internal/endpoints'

const engine = anEngine()
let site: Awaited<ReturnType<typeof openUmamiSite>>
let other: { writeKey: string; key: string }

const keyOf = async (projectId: number, scopes: readonly Right[] | 'every') =>
  requireDone(await site.product.projects.keys.create(projectId, { name: 'Key', scopes }, operator())).text

beforeAll(async () => {
  site = await openUmamiSite({ engine: engine.engine(), endLater: afterAll })
  const { project } = requireDone(await site.product.projects.create({ name: 'Other' }, operator()))
  other = { writeKey: project.writeKey, key: await keyOf(project.id, 'every') }
})

const address = `/api/websites/${website}`
const range = searchOf(bothDays)
const views = story.filter(({ name }) => name === undefined).length

describe('who may read', () => {
  test('a secret key is the password of a sign-in, and its token', async () => {
    const { ask, key, project } = site
    const login = (body: unknown) => ask('/api/auth/login', { body, authorization: undefined })
    const signedIn = await login({ username: 'admin', password: key })
    const user = {
      id: expect.any(String),
      username: 'Dashboard',
      role: 'user',
      createdAt: project.createdAt.toISOString(),
      isAdmin: false,
    }
    expect(signedIn).toEqual({ status: 200, body: { token: key, user: { ...user, teams: [] } } })
    const authorization = `Bearer ${signedIn.body.token}`
    expect((await ask('/api/auth/verify', { method: 'POST', authorization })).body).toEqual({
      ...user,
      teams: [],
    })
    expect((await ask('/api/me', { authorization })).body).toEqual({ user })
    expect(await login({ username: 'admin', password: 'umami' })).toMatchObject({
      status: 401,
      body: {
        error: { code: 'incorrect-username-password', message: expect.stringContaining('secret key') },
      },
    })
    expect((await login({ username: 'admin' })).status).toBe(400)
    expect((await login('nonsense')).status).toBe(400)
    expect((await login({ username: 'a', password: 'x'.repeat(5000) })).status).toBe(413)
  })

  test('a key is sent as Bearer or as x-umami-api-key', async () => {
    const { ask, key } = site
    const as = (call: object) => ask(`${address}/stats?${range}`, { authorization: undefined, ...call })
    expect((await as({ apiKey: key })).body).toMatchObject({ pageviews: views })
    expect((await as({ authorization: `bearer ${key}` })).body).toMatchObject({ pageviews: views })
    const refusal = { status: 401, body: { error: { code: 'unauthorized', message: expect.any(String) } } }
    expect(await as({})).toMatchObject(refusal)
    expect(await as({ apiKey: `${key}x` })).toMatchObject(refusal)
    expect(await as({ authorization: `Basic ${key}` })).toMatchObject(refusal)
  })

  test('websites are the project of the key, under the id that it had at Umami', async () => {
    const { ask, project } = site
    const own = { id: website, name: 'Acme', domain: 'acme.example', teamId: null, shareId: null }
    const list = { data: [own], count: 1, page: 1, pageSize: 20 }
    expect((await ask('/api/websites')).body).toMatchObject(list)
    expect((await ask('/api/me/websites')).body).toMatchObject(list)
    expect((await ask('/api/websites?search=elsewhere')).body).toMatchObject({ data: [], count: 0 })
    expect((await ask(address)).body).toMatchObject(own)
    expect((await ask(`/api/websites/${project.writeKey}`)).body).toMatchObject(own)
    expect((await ask('/api/websites', { authorization: `Bearer ${other.key}` })).body).toMatchObject({
      data: [{ id: other.writeKey, name: 'Other' }],
    })
    const { id } = (await ask('/api/me')).body.user
    expect((await ask(`/api/users/${id}/websites`)).body).toMatchObject(list)
    expect((await ask(`/api/users/${other.writeKey}/websites`)).status).toBe(404)
  })

  test.each(endpoints.filter(({ path }) => path.includes('{website}')).map(({ path }) => path))(
    'another project’s %s is not found, nor is one that does not exist',
    async (path) => {
      for (const id of [other.writeKey, 'nothing', '1', '..%2Fother', '%00', '%'])
        expect(
          (await site.ask(`/api${path.replace('{website}', id).replace('{session}', website)}?${range}`))
            .status,
        ).toBe(404)
    },
  )

  test('a key of one scope reads what the scope is about', async () => {
    const { ask, project } = site
    const events = `Bearer ${await keyOf(project.id, ['events:read'])}`
    const flags = `Bearer ${await keyOf(project.id, ['flags:write'])}`
    const ranges = ['stats?', 'pageviews?', 'metrics?type=path&', 'sessions?', 'events?'].map(
      (path) => `/${path}${range}`,
    )
    const paths = [...ranges, '/daterange', '/active']
    for (const path of paths) {
      const asked = `${address}${path}`
      expect([path, (await ask(asked, { authorization: events })).status]).toEqual([path, 200])
      const refused = await ask(asked, { authorization: flags })
      expect([path, refused.status]).toEqual([path, 403])
      expect(refused.body.error.message).toMatch(/events:read/)
    }
    expect((await ask('/api/websites', { authorization: events })).body).toMatchObject({ data: [], count: 0 })
    expect((await ask(address, { authorization: events })).status).toBe(403)
  })
})

describe('hostile requests', () => {
  const attacks = [
    "' or 1=1 --",
    "'); drop table events; --",
    String.raw`\' union select * from store`,
    '%_%',
    '(((((((',
    '\u0000',
    '{{from}}',
    '__proto__',
  ]
  const names = ['path', 'title', 'browser', 'event', 'tag', 'utmSource', 'referrer', 'hostname', 'screen']

  test.each(names)('SQL in the filter %s is a value that no event has', async (name) => {
    for (const attack of attacks)
      for (const prefix of ['', 'c.', 're.']) {
        const { status, body } = await site.ask(
          `${address}/stats?${searchOf({ ...bothDays, [name]: prefix + attack })}`,
        )
        const isPattern = prefix === 're.'
        expect([attack, prefix, status]).toEqual([attack, prefix, isPattern && status === 400 ? 400 : 200])
        if (status === 200 && !isPattern) expect([attack, body.visitors]).toEqual([attack, 0])
      }
  })

  test.each([
    [`/metrics?${range}&type=`, 400],
    [`/metrics?${range}&type=path&search=`, 200],
    [`/values?${range}&type=`, 400],
    [`/pageviews?${range}&timezone=`, 400],
    [`/pageviews?${range}&unit=`, 400],
    [`/stats?${range}&compare=`, 400],
    [`/event-data/values?${range}&event=signup&propertyName=`, 200],
    [`/event-data/values?${range}&propertyName=plan&event=`, 200],
    [`/session-data/values?${range}&propertyName=`, 200],
    [`/events?${range}&search=`, 200],
    [`/sessions?${range}&search=`, 200],
    [`/sessions/`, 404],
  ])('SQL in %s', async (path, status) => {
    for (const attack of attacks) {
      const answer = await site.ask(`${address}${path}${encodeURIComponent(attack)}`)
      expect([attack, answer.status]).toEqual([attack, status])
      if (status === 200) expect(JSON.stringify(answer.body)).not.toContain('/pricing')
    }
    expect((await site.ask(`${address}/stats?${range}`)).body).toMatchObject({ pageviews: views })
  })

  test.each([
    ['startAt=&endAt='],
    ['startAt=abc&endAt=def'],
    ['startAt=1&endAt=0'],
    ['startAt=NaN&endAt=Infinity'],
    ['startAt=1e300&endAt=1e301'],
    ['startAt=99999999999999999999&endAt=999999999999999999999'],
    ['startAt=1700000000&endAt=1700086400'],
    ['startAt=0x10&endAt=0x20'],
    ['endAt=1700000000000'],
    ['startDate=2026-13-45&endDate=2026-14-01'],
    ['startDate=soon&endDate=later'],
    ['startAt=-5&endAt=-1'],
    [''],
  ])('the range %s is refused with a sentence', async (given) => {
    for (const path of ['stats', 'pageviews', 'metrics?type=path', 'events', 'sessions', 'events/series']) {
      const { status, body } = await site.ask(`${address}/${path}${path.includes('?') ? '&' : '?'}${given}`)
      expect([path, status]).toEqual([path, 400])
      expect(body.error).toMatchObject({
        message: expect.stringMatching(/startAt|endAt/),
        code: 'bad-request',
      })
    }
  })

  test('a range from the beginning to the end of time is all events', async () => {
    for (const given of ['startAt=0&endAt=99999999999999', 'startDate=1970-01-01&endDate=2999-12-31']) {
      expect((await site.ask(`${address}/stats?${given}`)).body).toMatchObject({
        pageviews: views,
        comparison: { pageviews: 0 },
      })
      expect((await site.ask(`${address}/pageviews?${given}&compare=prev`)).body.pageviews).toEqual([
        expect.objectContaining({ y: views }),
      ])
    }
  })

  test.each([
    // a request                                                 the words of its refusal
    [`/stats?${range}&weather=fine`, /"weather"/],
    [`/stats?${range}&segment=${website}`, /Segments/],
    [`/stats?${range}&query=c.utm`, /utmSource/],
    [`/stats?${range}&match=none`, /all or any/],
    [`/stats?${range}&compare=next`, /prev or yoy/],
    [`/metrics?${range}`, /Choose a type/],
    [`/metrics?${range}&type=query`, /utmSource/],
    [`/metrics?${range}&type=constructor`, /Choose a type/],
    [`/metrics?${range}&type=path&limit=5000`, /1 to 1000/],
    [`/metrics?${range}&type=path&limit=-1`, /1 to 1000/],
    [`/metrics?${range}&type=path&offset=x`, /offset/],
    [`/pageviews?${range}&unit=week`, /minute, hour, day/],
    [`/pageviews?${range}&timezone=Mars/Phobos`, /time zone/],
    [`/sessions?${range}&browser=Chrome`, /filters/],
    [`/sessions?${range}&pageSize=100`, /1 to 50/],
    [`/events?${range}&page=0`, /page/],
  ])('%s is refused', async (path, words) => {
    const { status, body } = await site.ask(`${address}${path}`)
    expect(status).toBe(400)
    expect(body.error.message).toMatch(words)
  })

  test('a body of a megabyte, of another form or deeply nested is refused', async () => {
    const ask = (body: unknown) => site.ask('/api/reports/utm', { body })
    const big = { websiteId: website, filters: { path: 'x'.repeat(1_000_000) }, parameters: {} }
    expect((await ask(big)).status).toBe(400)
    for (const body of ['[]', '"text"', 'null', '{', '7', `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`])
      expect([body.slice(0, 9), (await ask(body)).status]).toEqual([body.slice(0, 9), 400])
    expect((await ask({ websiteId: website, __proto__: { isAdmin: true }, parameters: [] })).status).toBe(400)
  })
})

describe('what Tilth does not have', () => {
  test.each([
    ['POST', '/websites', /only reads/],
    ['POST', `/websites/${website}`, /only reads/],
    ['DELETE', `/websites/${website}`, /only reads/],
    ['POST', `/websites/${website}/reset`, /resetting/],
    ['POST', `/websites/${website}/transfer`, /transferring/],
    ['GET', `/websites/${website}/export`, /exports/],
    ['GET', `/websites/${website}/reports`, /saved reports/],
    ['GET', '/reports', /saved reports/],
    ['POST', '/users', /Members/],
    ['GET', '/admin/users', /Members/],
    ['POST', '/teams', /only reads/],
    ['GET', `/teams/${website}/users`, /teams/],
    ['POST', '/links', /links and pixels/],
    ['GET', '/pixels', /links and pixels/],
    ['GET', '/share/abc', /shares/],
    ['POST', '/me/password', /password/],
    ['GET', `/websites/${website}/event-data/fields`, /event-data\/values/],
    ['GET', `/websites/${website}/replays`, /replays/],
    ['GET', `/websites/${website}/weather`, /nothing at/],
  ])('%s %s is answered with its name and the page about it', async (method, path, words) => {
    const { status, body } = await site.ask(`/api${path}`, { method })
    expect([404, 405]).toContain(status)
    expect(body.error.message).toMatch(words)
    expect(body.error.message).toContain('docs/sdk-umami.md')
  })

  test('a key belongs to no team', async () => {
    const none = { data: [], count: 0, page: 1, pageSize: 20 }
    expect((await site.ask('/api/teams')).body).toEqual(none)
    expect((await site.ask('/api/me/teams')).body).toEqual(none)
  })
})

test.each([
  // a path                                   without a key     with one
  ['/api/websites', '/websites', '/websites'],
  ['/api/websites/', '/websites', '/websites'],
  ['/api/websites/a/stats', '/websites/a/stats', '/websites/a/stats'],
  ['/api/websitesandmore', undefined, undefined],
  ['/api/users/@me', undefined, undefined],
  ['/api/users/1/websites', '/users/1/websites', '/users/1/websites'],
  ['/api/projects/1', undefined, undefined],
  ['/api/send', undefined, undefined],
  ['/v1/websites/a/stats', undefined, '/websites/a/stats'],
  ['/v1/eu/websites/a/stats', undefined, '/websites/a/stats'],
  ['/v1/about', undefined, undefined],
  ['/_tilth/umami/v2/api/websites', '/websites', '/websites'],
  ['/_tilth/umami/v2/v1/websites', '/websites', '/websites'],
  ['/_tilth/umami/v3/websites', '/websites', '/websites'],
  ['/_tilth/umami/v4/websites', undefined, undefined],
])('%s is of Umami’s API as %s', (path, without, withKey) => {
  expect(umamiAddressIn(path, false)?.path).toBe(without)
  expect(umamiAddressIn(path, true)?.path).toBe(withKey)
})
