import { expect, test } from 'vitest'
import { readMarkdown } from './markdown'
import { shownPictures } from './shown-pictures'

test('a picture beside a file is shown as the uploaded one', () => {
  const address = '/_tilth/images/0123456789abcdef0123456789abcdef.webp'
  const document = readMarkdown(`![Roses](${address})\n\n![Far](far.png)`, {
    pictureAt: (one) => (one === address ? { width: 1200, height: 800 } : undefined),
  })
  const picturesBeside = { 'my roses.jpg': address, 'gone.png': '/_tilth/images/gone.png' }

  const pictures = shownPictures({ picturesBeside }, document)
  expect(pictures['my%20roses.jpg']).toMatchObject({ src: address, width: 1200, height: 800 })
  expect(pictures['my%20roses.jpg']?.['srcSet']).toContain(`${address}?w=480 480w`)
  expect(pictures['gone.png']).toBeUndefined()
})
