import { expect, test } from 'vitest'
import { diagramPath } from './diagrams'
import { showDiagrams } from './drawing/show-diagrams'
import { readMarkdown } from './markdown'
import { shownPictures } from './shown-pictures'

test('a picture beside a file is shown as the uploaded one, and a diagram with its size', async () => {
  const address = '/_tilth/images/0123456789abcdef0123456789abcdef.webp'
  const code = 'flowchart LR\n  a-->b'
  const text = `![Roses](${address})\n\n![Far](far.png)\n\n\`\`\`mermaid\n${code}\n\`\`\``
  const document = readMarkdown(text, {
    pictureAt: (one) => (one === address ? { width: 1200, height: 800 } : undefined),
  })
  const drawingOf = async () => ({ done: true as const, svg: '<svg/>', width: 300, height: 80 })
  const picturesBeside = { 'my roses.jpg': address, 'gone.png': '/_tilth/images/gone.png' }

  const pictures = shownPictures({ picturesBeside }, await showDiagrams(document, { drawingOf }))
  expect(pictures['my%20roses.jpg']).toMatchObject({ src: address, width: 1200, height: 800 })
  expect(pictures['my%20roses.jpg']?.['srcSet']).toContain(`${address}?w=480 480w`)
  expect(pictures[diagramPath(code, 'mermaid')]).toMatchObject({ width: 300, height: 80 })
  expect(pictures['gone.png']).toBeUndefined()
})
