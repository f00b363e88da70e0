import { expect, test } from 'vitest'
import { readMarkdown } from '../../markdown'

test.each([
  // written, and drawn
  ['## A\n### B\n## C', [2, 3, 2]],
  ['### A\n### B\n## C\n### D', [2, 2, 2, 3]],
  ['# A\n### B\n##### C\n## D', [1, 2, 3, 2]],
  ['## A\n#### B\n### C', [2, 3, 3]],
  [':::features\n### A\nOne.\n### B\nTwo.\n:::\n\n## C', [2, 2, 2]],
])('%j is drawn on the levels %j', (text, levels) => {
  expect(readMarkdown(text).outline.map(({ level }) => level)).toEqual(levels)
})
