import { expect, test } from 'vitest'
import { blockList } from '#posts/blocks'
import { splitPostBody } from '#posts/source-blocks'
import { matchingCommands, slashCommands, slashSearch, startOf } from './slash-commands'

test.each([
  ['/', ''],
  ['/tab', 'tab'],
  ['/small head', 'small head'],
  ['a /tab', undefined],
  ['/usr/bin', undefined],
  ['', undefined],
])('%j asks for %j', (shown, search) => expect(slashSearch(shown)).toBe(search))

test.each([
  ['', 'Text'],
  ['head', 'Heading'],
  ['tab', 'Table'],
  ['video', 'Embed'],
  ['experiment', 'Variant'],
  ['callout', 'Note'],
  ['nps', 'Survey'],
  ['hr', 'Divider'],
])('%j finds %s first', (search, label) => expect(matchingCommands(search)[0]?.label).toBe(label))

test('nothing is found for what no block is called', () => expect(matchingCommands('zzz')).toEqual([]))

test('every block of posts is there', () => {
  expect(slashCommands.length).toBeGreaterThan(blockList.length + 10)
  const labels = slashCommands.map(({ label }) => label)
  expect(new Set(labels).size).toBe(labels.length)
})

test('each begins one block', () => {
  for (const command of slashCommands)
    expect(splitPostBody(startOf(command).text).blocks.length).toBeLessThan(2)
})

test('code is begun at its language', () => {
  const code = slashCommands.find(({ label }) => label === 'Code')
  expect(code && startOf(code)).toEqual({ text: '```\n\n```', caret: 3 })
})
