import { describe, expect, test } from 'vitest'
import {
  code,
  type MarkdownCommand,
  type TextEdit,
  heading,
  insertText,
  toggleLineMark,
  link,
  toggleMark,
  nextItem,
  paragraph,
  type TextSelection,
} from './markdown-edits'

/** The selection stands between « and ». */
function written(marking: string): TextSelection {
  const from = marking.indexOf('«')
  const to = marking.indexOf('»') - 1
  return { text: marking.replace('«', '').replace('»', ''), from, to }
}

function shown({ text }: TextSelection, edit: TextEdit): string {
  const next = text.slice(0, edit.from) + edit.text + text.slice(edit.to)
  const { selectFrom: from, selectTo: to } = edit
  return `${next.slice(0, from)}«${next.slice(from, to)}»${next.slice(to)}`
}

const bold = toggleMark('**', 'bold')

test.each<[string, MarkdownCommand, string]>([
  // with this, pressed, leaves this
  ['a «b» c', bold, 'a **«b»** c'],
  ['a **«b»** c', bold, 'a «b» c'],
  ['a «**b**» c', bold, 'a «b» c'],
  ['a «» c', bold, 'a **«bold»** c'],
  ['o\n«one\ntwo»', toggleLineMark('list'), 'o\n«- one\n- two»'],
  ['- one\n- t«w»o', toggleLineMark('list'), '- one\n«two»'],
  ['«- one\n- two»', toggleLineMark('numbers'), '«1. one\n2. two»'],
  ['«1. one\n2. two»', toggleLineMark('numbers'), '«one\ntwo»'],
  ['sa«»id', toggleLineMark('quote'), '«> said»'],
  ['He«»llo', heading, '«## Hello»'],
  ['## He«»llo', heading, '«### Hello»'],
  ['### He«»llo', heading, '«Hello»'],
  ['see «this»', link, 'see [this](«https://»)'],
  ['see «https://a.example/b»', link, 'see [«words»](https://a.example/b)'],
  ['run «it»', code, 'run `«it»`'],
  ['«a\nb»', code, '```\na\nb\n```«»\n'],
  ['x«a»z', insertText('y'), 'xay«»z'],
  ['one «two»', paragraph('B'), 'one two\n\nB«»\n'],
  ['one«»two', paragraph('B'), 'one\n\nB«»\n\ntwo'],
  ['one\n«»\n\ntwo', paragraph('B'), 'one\n\nB«»\n\ntwo'],
  ['«»', paragraph('B'), 'B«»\n'],
])('in %j', (before, command, after) => {
  const selected = written(before)
  expect(shown(selected, command(selected))).toBe(after)
})

describe('Enter', () => {
  test.each([
    // in this            leaves this
    ['- one«»', '- one\n- «»'],
    ['  2) one«» two', '  2) one\n  3) «» two'],
    ['- [x] done«»', '- [x] done\n- [ ] «»'],
    ['- one\n- «»', '- one\n«»'],
  ])('goes on with a list: %j', (before, after) => {
    const selected = written(before)
    const edit = nextItem(selected)
    expect(edit && shown(selected, edit)).toBe(after)
  })

  test.each(['words«»', '- o«n»e', '«»- one'])('is a line’s end otherwise: %j', (before) => {
    expect(nextItem(written(before))).toBeUndefined()
  })
})
