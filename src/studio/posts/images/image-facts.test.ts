import { expect, test } from 'vitest'
import { markdownOf } from './image-facts'

test.each([
  [{ alt: 'A fox', width: 40, height: 30 }, '![A fox](/_tilth/images/a.png#40x30)'],
  [{ alt: 'A [red]\nfox' }, '![A \\[red\\] fox](/_tilth/images/a.png)'],
  [{ alt: '' }, '![](/_tilth/images/a.png)'],
])('%j is written as %s', (picture, markdown) => {
  const { alt, width, height } = { width: undefined, height: undefined, ...picture }
  expect(markdownOf({ address: '/_tilth/images/a.png', alt, width, height })).toBe(markdown)
})
