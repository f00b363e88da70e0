import { expect, test } from 'vitest'
import { isPressed, displayedKeys, spoken } from './keys'

test.each([
  ['mod+K', ['⌘', 'K'], ['Ctrl', 'K'], 'Command K', 'Ctrl K'],
  ['mod+shift+p', ['⌘', '⇧', 'P'], ['Ctrl', 'Shift', 'P'], 'Command Shift P', 'Ctrl Shift P'],
  ['g i', ['G', 'I'], ['G', 'I'], 'G then I', 'G then I'],
  ['escape', ['esc'], ['Esc'], 'esc', 'Esc'],
  ['?', ['?'], ['?'], '?', '?'],
])('%s is named as on the keyboard in use', (keys, apple, elsewhere, appleName, otherName) => {
  expect(displayedKeys(keys, true)).toEqual(apple)
  expect(displayedKeys(keys, false)).toEqual(elsewhere)
  expect(spoken(keys, true)).toBe(appleName)
  expect(spoken(keys, false)).toBe(otherName)
})

const none = { metaKey: false, ctrlKey: false, altKey: false, shiftKey: false }

test.each([
  // shortcut, keys held, on an Apple keyboard, is it
  ['mod+K', { ...none, key: 'k', metaKey: true }, true, true],
  ['mod+K', { ...none, key: 'k', metaKey: true }, false, false],
  ['mod+K', { ...none, key: 'K', ctrlKey: true }, false, true],
  ['mod+K', { ...none, key: 'k', ctrlKey: true }, true, false],
  ['mod+K', { ...none, key: 'k', ctrlKey: true, shiftKey: true }, false, false],
  ['mod+K', { ...none, key: 'k' }, false, false],
  ['?', { ...none, key: '?', shiftKey: true }, false, true],
  ['?', { ...none, key: '?' }, false, true],
  ['e', { ...none, key: 'E', shiftKey: true }, false, false],
])('%s pressed as %o on Apple %s: %s', (shortcut, event, apple, so) => {
  expect(isPressed(shortcut, event, apple)).toBe(so)
})
