import { describe, expect, test } from 'vitest'
import { openTestProduct, requireDone, problemMessages } from '#test/product/fixture'
import { operator } from '#projects/access'
import { destinationOf } from './redirects'

const you = operator('Ana')

async function aSite() {
  const fixture = await openTestProduct()
  const { id } = await fixture.aProject()
  const { product, world } = fixture

  return {
    ...fixture,
    id,
    redirect: (from: string, to: string) => product.posts.redirects.create(id, { from, to }, you),
    leads: (from: string) => product.posts.published.redirectFor(id, from),
    aPost: async (title: string, kind = 'post') => {
      const { post } = requireDone(await product.posts.create(id, { title, kind }, you))
      return requireDone(await product.posts.publish(id, post.id, {}, you)).post
    },
    rename: async (post: string, slug: string) =>
      requireDone(await product.posts.change(id, post, { slug }, you)).post,
    at: (slug: string) => product.posts.published.bySlug(id, 'post', slug, world.now()),
  }
}

describe('when the address of something published changes', () => {
  test('the old one leads to the new one', async () => {
    const { aPost, rename, leads, product, id } = await aSite()
    const post = await aPost('Hello')
    const moved = await rename(post.id, 'good-day')

    expect(leads('/blog/hello')).toBe('/blog/good-day')
    expect(product.posts.published.addressesOf(moved)).toEqual(['/blog/good-day', '/blog/hello'])
    expect(await product.posts.redirects.list(id, you)).toEqual([
      { from: '/blog/hello', to: '/blog/good-day', isAutomatic: true },
    ])
  })

  test('however often it moves, every old one leads there at once', async () => {
    const { aPost, rename, leads } = await aSite()
    const post = await aPost('Hello')
    await rename(post.id, 'two')
    await rename(post.id, 'three')

    expect([leads('/blog/hello'), leads('/blog/two'), leads('/blog/three')]).toEqual([
      '/blog/three',
      '/blog/three',
      undefined,
    ])
  })

  test('and back again, it leads to itself nowhere', async () => {
    const { aPost, rename, leads, at } = await aSite()
    const post = await aPost('Hello')
    await rename(post.id, 'two')
    await rename(post.id, 'hello')

    expect([leads('/blog/hello'), leads('/blog/two'), at('hello')?.title]).toEqual([
      undefined,
      '/blog/hello',
      'Hello',
    ])
  })

  test('what led to the old one leads to it wherever it is', async () => {
    const { aPost, rename, leads, redirect } = await aSite()
    const post = await aPost('Hello')
    requireDone(await redirect('/hi', '/blog/hello'))
    await rename(post.id, 'good-day')

    expect(leads('/hi')).toBe('/blog/good-day')
  })

  test('another post may take the old one', async () => {
    const { aPost, rename, leads, at } = await aSite()
    const post = await aPost('Hello')
    await rename(post.id, 'two')
    const other = await aPost('Other')
    await rename(other.id, 'hello')

    expect([leads('/blog/hello'), at('hello')?.id]).toEqual([undefined, other.id])
  })

  test('nothing leads to a draft, and no one was told of a draft’s', async () => {
    const { aPost, rename, leads, product, id } = await aSite()
    const post = await aPost('Hello')
    await rename(post.id, 'two')
    requireDone(await product.posts.unpublish(id, post.id, you))
    await rename(post.id, 'three')

    expect([leads('/blog/hello'), leads('/blog/two')]).toEqual([undefined, undefined])
  })
})

describe('a redirect', () => {
  test.each([
    ['/old', '/blog', '/old', '/blog'],
    ['/old/', 'https://example.com/new?a=b', '/old', 'https://example.com/new?a=b'],
    ['/alte-%C3%BCbersicht', '/übersicht', '/alte-übersicht', '/%C3%BCbersicht'],
    ['/old', '/new?utm=1#there', '/old/', '/new?utm=1#there'],
    ['/', '/home', '/', '/home'],
  ])('from %s to %s sends who asks for %s to %s', async (from, to, asked, sent) => {
    const { redirect, leads } = await aSite()
    requireDone(await redirect(from, to))

    expect(leads(asked)).toBe(sent)
  })

  test.each([
    ['javascript:alert(1)', 'Begin with "/" for an address of this site'],
    ['//evil.example', 'Begin with "/" for an address of this site'],
    ['/..//evil.example', 'Begin with "/" for an address of this site'],
    ['/a/..//evil.example', 'Begin with "/" for an address of this site'],
    ['/\\evil.example', 'Begin with "/" for an address of this site'],
    ['ftp://example.com', 'Begin with "/" for an address of this site'],
    ['https://', 'Begin with "/" for an address of this site'],
    ['/old', 'It would lead to itself.'],
    ['/old/?again', 'It would lead to itself.'],
  ])('to %s is refused', async (to, why) => {
    const { redirect } = await aSite()

    expect(problemMessages(await redirect('/old', to))[0]).toContain(why)
  })

  test.each([
    '/studio/acme',
    '/_tilth/x',
    '/api',
    '/flags',
    '/_next/x',
    '/blog',
    'old',
    'https://a.example/b',
  ])('from %s is refused', async (from) => {
    const { redirect } = await aSite()

    expect((await redirect(from, '/new')).done).toBe(false)
  })

  test('to an address of the site that a path cannot say keeps its host', async () => {
    const { redirect, leads, product, id } = await aSite()
    requireDone(await product.posts.sites.change(id, { address: 'https://garden.example' }, you))
    requireDone(await redirect('/old', 'https://garden.example//evil.example'))

    expect(leads('/old')).toBe('https://garden.example//evil.example')
  })

  test('in a circle or a chain is refused, with what stands in the way', async () => {
    const { redirect } = await aSite()
    requireDone(await redirect('/a', '/b'))

    expect(problemMessages(await redirect('/b', '/a'))).toEqual([
      '“/a” redirects back to “/b”, which would be a loop. Remove that redirect first.',
    ])
    expect(problemMessages(await redirect('/c', '/a'))).toEqual([
      '“/a” is redirected itself, to “/b”. Lead there at once.',
    ])
    expect(problemMessages(await redirect('/b', '/d'))).toEqual(['“/a” leads here. Lead it to “/d” first.'])
    expect(problemMessages(await redirect('/a', '/d'))).toEqual([
      'There is a redirect from this address already. Remove that one first.',
    ])
  })

  test('in a circle that is written out in full is refused, too', async () => {
    const { redirect, product, id } = await aSite()
    requireDone(await product.posts.sites.change(id, { address: 'https://acme.example' }, you))
    requireDone(await redirect('/a', 'https://acme.example/b'))

    expect(problemMessages(await redirect('/b', 'https://acme.example/a'))[0]).toContain('would be a loop')
  })

  test('from where a post is, is refused, and one that is removed leads nowhere', async () => {
    const { aPost, redirect, leads, product, id } = await aSite()
    await aPost('Hello')
    expect(problemMessages(await redirect('/blog/hello', '/new'))).toEqual([
      '“Hello” is at this address. Change its address first.',
    ])

    requireDone(await redirect('/old', '/new'))
    requireDone(await product.posts.redirects.remove(id, '/old/', you))
    expect(leads('/old')).toBeUndefined()
    expect(problemMessages(await product.posts.redirects.remove(id, '/old', you))).toEqual([
      'There is no redirect from this address.',
    ])
  })
})

/** Circles can be left by two people who change redirects at the same moment. */
test.each([
  [{ '/a': '/a' }, undefined],
  [{ '/a': '/b', '/b': '/a' }, undefined],
  [{ '/a': '/b', '/b': '/c', '/c': '/b' }, undefined],
  [{ '/a': '/b', '/b': '/c' }, '/c'],
  [{ '/a': '/b/?x=1', '/b': 'https://a.example/' }, 'https://a.example/'],
  [{}, undefined],
])('of %j, "/a" leads to %s', (redirects, to) => {
  expect(destinationOf('/a', new Map(Object.entries(redirects)))).toBe(to)
})
