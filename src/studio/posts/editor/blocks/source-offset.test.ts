import { expect, test } from 'vitest'
import { sourceOffset } from './TextBlock'

test.each([
  ['plain words here', 'plain wor', 'plain wor'],
  ['some **bold** words', 'some bo', 'some **bo'],
  ['## A heading', 'A he', '## A he'],
  ['- one\n- two', 'one\ntw', '- one\n- tw'],
  ['see [this](https://a.example/b) and that', 'see this and th', 'see [this](https://a.example/b) and th'],
  ['words', '', ''],
  ['words', 'zzz', ''],
])('in %j, what was drawn as %j ends behind %j', (source, drawn, before) => {
  expect(sourceOffset(source, drawn)).toBe(before.length)
})
