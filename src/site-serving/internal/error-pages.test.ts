import { expect, test } from 'vitest'
import type { UnavailableReason } from '#http/error-page'
import type { RenderResponse } from '#http/forward'
import { errorPagePath, withErrorPages } from './error-pages'

type Answer = RenderResponse | UnavailableReason

const answer = (status: number, text: string, type = 'text/html; charset=utf-8'): RenderResponse => ({
  status,
  headers: { 'content-type': type },
  trailers: {},
  body: Buffer.from(text),
})

test.each([
  // what happened, the page, the error page, the answer
  ['a page that threw', answer(500, 'blank'), answer(200, 'dressed'), answer(500, 'dressed')],
  ['a page and an error page that threw', answer(500, 'blank'), answer(500, 'blank'), 'failed'],
  ['a page that threw in a process that ended', answer(500, 'blank'), 'lost', 'failed'],
  ['a missing page', answer(404, 'missing'), answer(200, 'dressed'), answer(404, 'missing')],
  [
    'a file that failed',
    answer(503, '', 'text/plain'),
    answer(200, 'dressed'),
    answer(503, '', 'text/plain'),
  ],
  ['no page', 'late', answer(200, 'dressed'), 'late'],
] satisfies [string, Answer, Answer, Answer][])('%s', async (_, page, errorPage, expected) => {
  const pages = {
    render: ({ path }: { path: string }) => Promise.resolve(path === errorPagePath ? errorPage : page),
  }
  expect(await withErrorPages(pages).render({ path: '/pricing', headers: {} })).toEqual(expected)
})
