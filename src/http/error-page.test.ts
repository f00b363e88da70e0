import { describe, expect, test } from 'vitest'
import { startTestFront } from '#test/product/test-pages'
import { sectionAddress, studioSections } from '#ui/page/sections'
import { answerRefused, answerUnavailable, type ErrorPage, refusedPages } from './error-page'

const refusing = (page: ErrorPage) =>
  startTestFront((request, response) => answerRefused(request, response, page))

const read = async (address: string, accept?: string, method = 'GET') => {
  const answer = await fetch(address, { method, headers: accept ? { accept } : {} })
  return { answer, text: await answer.text() }
}

describe('a page of the front', () => {
  test.each(Object.values<ErrorPage>(refusedPages).map((page) => [page.status, page] as const))(
    '%i is titled and headed alike',
    async (status, page) => {
      const { answer, text } = await read(await refusing(page), 'text/html')

      expect(answer.status).toBe(status)
      expect(/<title>(.*)<\/title>/.exec(text)?.[1]).toBe(page.title)
      expect(/<h1>(.*)<\/h1>/.exec(text)?.[1]).toBe(page.title)
    },
  )

  test('brings its whole look along, in colours for light and dark', async () => {
    const { text } = await read(await refusing(refusedPages[404]), 'text/html')

    expect(text).toContain('color-scheme:light dark')
    expect(text).toMatch(/--color-canvas:light-dark\(#\w+, #\w+\)/)
    const used = Array.from(text.matchAll(/var\((--[\w-]+)\)/g), ([, name]) => name)
    expect(used.filter((name) => !text.includes(`${name}:`))).toEqual([])
    expect(text).not.toMatch(/(?:src|href)="(?!data:,|\/")/)
  })

  test('is the only thing that its policy lets a browser show', async () => {
    const { answer } = await read(await refusing(refusedPages[404]), 'text/html')

    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none';.* style-src 'self' 'sha256-\S+'$/,
    )
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('shows words as words', async () => {
    const page = { status: 400, title: '<b>"A" & B</b>', advice: '</style><script>alert(1)</script>' }

    const { text } = await read(await refusing(page), 'text/html')

    expect(text).toContain('<h1>&#60;b&#62;&#34;A&#34; &#38; B&#60;/b&#62;</h1>')
    expect(text).not.toContain('<script>')
  })

  test.each([
    ['text/html,application/xhtml+xml', 'text/html; charset=utf-8'],
    ['text/html, application/json', 'text/html; charset=utf-8'],
    ['*/*', 'text/html; charset=utf-8'],
    ['application/json', 'application/problem+json'],
  ])('to someone who accepts %s comes as %s', async (accept, type) => {
    const { answer } = await read(await refusing(refusedPages[413]), accept)

    expect(answer.headers.get('content-type')).toBe(type)
  })
})

describe('while the pages are away', () => {
  const away = () => startTestFront((request, response) => answerUnavailable(request, response, 'restarting'))

  test.each([
    ['a person who reads', 'text/html', 'GET', 'text/html; charset=utf-8'],
    ['a script that fetches', '*/*', 'GET', 'application/problem+json'],
    ['a person who sends something', 'text/html', 'POST', 'application/problem+json'],
  ])('%s is told when to come back', async (_who, accept, method, type) => {
    const { answer } = await read(await away(), accept, method)

    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('2')
    expect(answer.headers.get('content-type')).toBe(type)
  })

  test('the page asks again by itself', async () => {
    const { text } = await read(await away(), 'text/html')

    expect(text).toContain('<meta http-equiv="refresh" content="2">')
  })

  test('a page that takes too long is asked again by hand, and leads back to where it belongs', async () => {
    const late = await startTestFront((request, response) => answerUnavailable(request, response, 'late'))
    const linksOf = async (path: string) => {
      const { text } = await read(late + path, 'text/html')
      expect(text).not.toContain('http-equiv="refresh"')
      return Array.from(text.matchAll(/<a href="([^"]*)">([^<]*)</g), ([, address, label]) => [
        address,
        label,
      ])
    }
    const again = ['', 'Try again']
    const sectionsOf = (slug: string) =>
      Object.values(studioSections).map((section) => [sectionAddress(slug, section), section.label])
    const toStudio = ['/studio', 'Go to the studio']
    expect(await linksOf('/studio/acme/web?period=90d')).toEqual([...sectionsOf('acme'), again, toStudio])
    expect(sectionsOf('acme')).toContainEqual(['/studio/acme/flags', 'Flags'])
    expect(await linksOf('/studio/sign-in')).toEqual([again, toStudio])
    expect(await linksOf('/studio/%22%3E/web')).toEqual([again, toStudio])
    expect(await linksOf('/studios')).toEqual([again, ['/', 'Go to home page']])
  })
})
