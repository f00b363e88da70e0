import { expect, test } from 'vitest'
import { readingMinutes } from './reading-time'

const words = (count: number): string => 'word '.repeat(count)

test.each<[what: string, markdown: string, minutes: number]>([
  ['nothing', '', 1],
  ['a short text', words(30), 1],
  ['220 words a minute', words(660), 3],
  ['Chinese, two characters a word', '字'.repeat(880), 2],
  ['addresses, which nobody reads', '[a](https://a.example/b/c) https://b.example '.repeat(200), 1],
  ['the frames of tables and blocks', ':::note\n| - | - |\n```ts title="a"\n'.repeat(200), 1],
])('the reading time of %s', (_what, markdown, minutes) => expect(readingMinutes(markdown)).toBe(minutes))
