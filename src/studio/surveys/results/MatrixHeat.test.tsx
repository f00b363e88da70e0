import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { MatrixHeat } from './MatrixHeat'

const cellOf = (count: number) => ({ count, share: 0.5, href: '/narrowed', peopleHref: '/behind' })

test('a cell narrows the results, and its count leads to the people who gave the answer', () => {
  const columns = [
    { key: 'good', label: 'Good' },
    { key: 'bad', label: 'Bad' },
  ]
  const rows = [{ key: 'price', label: 'Price', cells: [cellOf(3), cellOf(0)] }]
  const html = renderToStaticMarkup(<MatrixHeat caption="Ratings" head="Row" columns={columns} rows={rows} />)
  expect(html.match(/href="\/narrowed"/g)).toHaveLength(2)
  expect(html).toMatch(/<a aria-label="Price, Good: 3"[^>]*href="\/behind"/)
  expect(html).not.toContain('aria-label="Price, Bad')
})
