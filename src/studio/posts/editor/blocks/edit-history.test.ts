import { expect, test } from 'vitest'
import { EditHistory } from './edit-history'

const at = (text: string) => ({ text, offset: text.length })

test('what is typed without a pause is undone at once, and redone', () => {
  const history = new EditHistory()
  history.record(at(''), 'type 1', 0)
  history.record(at('a'), 'type 1', 300)
  history.record(at('ab'), 'type 1', 2000)
  expect(history.undo(at('abc'))).toEqual(at('ab'))
  expect(history.undo(at('ab'))).toEqual(at(''))
  expect(history.undo(at(''))).toBeUndefined()
  expect(history.redo(at(''))).toEqual(at('ab'))
  expect(history.redo(at('ab'))).toEqual(at('abc'))
  expect(history.redo(at('abc'))).toBeUndefined()
})

test('changes of another block, and those that are more than typing, stand alone', () => {
  const history = new EditHistory()
  history.record(at('1'), 'type 1', 0)
  history.record(at('2'), 'type 2', 1)
  history.record(at('3'), '', 2)
  history.record(at('4'), '', 3)
  expect([1, 2, 3, 4].map((now) => history.undo(at(`now ${now}`))?.text)).toEqual(['4', '3', '2', '1'])
})

test('a change after going back forgets what could be redone', () => {
  const history = new EditHistory()
  history.record(at('a'), '', 0)
  history.undo(at('b'))
  history.record(at('a'), '', 1)
  expect(history.redo(at('c'))).toBeUndefined()
})

test('the entries of a long text are few', () => {
  const history = new EditHistory()
  const long = 'x'.repeat(1_000_000)
  for (let change = 0; change < 50; change++) history.record(at(long), '', change)
  let steps = 0
  while (history.undo(at(long))) steps += 1
  expect(steps).toBe(20)
})
