import { expect, test } from 'vitest'
import { operator } from '#projects/access'
import { StaticPages } from './static-pages'

const viewer = operator('test')
const request = { path: '/', origin: 'https://garden.example', server: 'https://tilth.example' }

function staticPages(isDev: boolean) {
  const visit = { decisions: {} }
  return new StaticPages({
    // only whether there is a site, and its visitor without decisions, are asked for before a page is rendered
    published: { site: () => ({}), trials: () => [] } as never,
    definitions: { flagsOf: () => [] },
    visits: { begin: () => ({ visit }) } as never,
    pages: { render: () => Promise.resolve('late') },
    kit: { state: () => ({ output: '', manifest: undefined, problems: [], isDev }) },
    now: () => new Date(0),
  })
}

test('a page that is not ready is no refusal', async () =>
  expect(await staticPages(false).render(1, request, viewer)).toEqual({ done: true, page: 'late' }))

test('pages of “tilth dev”, which have scripts for development, are not published', async () =>
  expect(await staticPages(true).render(1, request, viewer)).toMatchObject({
    done: false,
    problems: [{ message: expect.stringContaining('Start it with “tilth start”') as string }],
  }))
