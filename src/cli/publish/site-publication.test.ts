import { expect, test } from 'vitest'
import { SitePublication } from './site-publication'

const page = (html: string, status = 200, routes: readonly string[] = []) => ({
  status,
  type: 'text/html',
  body: btoa(html),
  uses: [],
  routes,
})
const unready = { error: 'This page takes too long' }

type PageAnswer = ReturnType<typeof page> | typeof unready | 'refused'

/** Publishes from a Tilth that answers one path after the other; the last answer for a path is repeated. */
async function publish(pages: Readonly<Record<string, readonly PageAnswer[]>>) {
  const files = new Map<string, string>()
  const counts = new Map<string, number>()
  const answerFor = (path: string): PageAnswer => {
    const answers = pages[path] ?? [page('', 404)]
    const count = counts.get(path) ?? 0
    counts.set(path, count + 1)
    return answers[Math.min(count, answers.length - 1)] ?? unready
  }
  const publication = new SitePublication({
    projectId: 1,
    origin: 'https://garden.example',
    server: 'https://tilth.example',
    writeKey: 'phc_key',
    pausesMs: [0, 0],
    folder: {
      has: (file) => files.has(file),
      add: (file, bytes) => Promise.resolve(void files.set(file, String(bytes))),
    },
    call: ({ body, path: address, output }) => {
      if (output) {
        output.write(address)
        return Promise.resolve({ status: 200, headers: { 'content-type': 'image/webp' }, body: '' })
      }
      const { path } = JSON.parse(String(Buffer.from(body ?? []))) as { path: string }
      const answer = answerFor(path)
      const status = answer === 'refused' ? 422 : 'error' in answer ? 503 : 200
      const text = JSON.stringify(answer === 'refused' ? { error: 'The site is off.' } : answer)
      return Promise.resolve({ status, headers: {}, body: text })
    },
  })
  await publication.collect([])
  const { notes } = publication
  return { contents: files, files: [...files.keys()], failed: [...notes.failed], counts, notes }
}

const home = page('<a href="/slow">slow</a><a href="/broken">broken</a>')
const missing = { '/no-such-page-in-any-site': [page('', 404)] }

test('a page that is not ready is requested again, and one that never is does not keep the rest', async () => {
  const { files, failed, counts } = await publish({
    ...missing,
    '/': [home],
    '/slow': [unready, unready, page('slow')],
    '/broken': [unready],
  })
  expect(files).toEqual(['index.html', 'slow/index.html', '404.html'])
  expect(failed).toEqual([['/broken', 'This page takes too long']])
  expect(counts.get('/broken')).toBe(3)
})

test('a narrower copy of a picture is a file of its own', async () => {
  const picture = `/_tilth/images/${'0af1'.repeat(8)}`
  const html = `<img src="${picture}.jpg" srcSet="${picture}.jpg?w=480 480w, ${picture}.jpg 1200w"/>`
  const { contents } = await publish({ ...missing, '/': [page(html)] })
  expect(contents.get('index.html')).toContain(`srcSet="${picture}-480.webp 480w, ${picture}.jpg 1200w"`)
  expect(contents.get(`${picture.slice(1)}-480.webp`)).toBe(`${picture}.jpg?w=480`)
  expect(contents.get(`${picture.slice(1)}.jpg`)).toBe(`${picture}.jpg`)
})

test('routes and actions of forms are named, and a link to a route is not dead', async () => {
  const routes = ['/api/orders/[id]']
  const html =
    '<a href="/api/orders/7">order</a><a href="/gone">gone</a><form><input type="hidden" name="tilth-action:x"/></form>'
  const { notes } = await publish({
    ...missing,
    '/': [page(html, 200, routes)],
    '/api/orders/7': [page('', 404, routes)],
  })
  expect([...notes.routes]).toEqual(routes)
  expect([...notes.omitted]).toEqual([['the action of a form', '/']])
  expect([...notes.deadLinks]).toEqual([['/gone', '/']])
})

test('the frame that draws diagrams is published with a page that has one', async () => {
  const html = '<pre class="code" data-language="mermaid"><code>a</code></pre>'
  const { files } = await publish({ ...missing, '/': [page(html)] })
  expect(files).toEqual(expect.arrayContaining(['_tilth/diagram-frame.html', '_tilth/diagram-frame.js']))
})

test('a page that throws is named, not published', async () => {
  const { files, failed } = await publish({ ...missing, '/': [home], '/broken': [page('oh', 500)] })
  expect(files).not.toContain('broken/index.html')
  expect(failed).toEqual([['/broken', 'it answered 500; the log of Tilth says why']])
})

test.each([
  // what Tilth answers, the message
  ['no page that is ready', [unready], /^Tilth could not render \/: This page takes too long$/],
  ['a refusal', ['refused'], /The site is off/],
] satisfies [string, PageAnswer[], RegExp][])('nothing is published from %s', async (_, answers, message) => {
  await expect(publish({ '/': answers })).rejects.toThrow(message)
})

test('a Tilth that is not ready for anything is not asked for every page', async () => {
  const links = Array.from({ length: 100 }, (_, at) => `<a href="/${at}">${at}</a>`).join('')
  const pages = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`/${at}`, [unready]]))
  await expect(publish({ ...missing, '/': [page(links)], ...pages })).rejects.toThrow(
    /not ready 40 times in a row/,
  )
})
