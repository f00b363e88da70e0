/** A shortcut as text: names joined by `+` are pressed together, those joined by a space in sequence (`g i`). */
export type Shortcut = string

const applePlatformKeys: Record<string, string> = {
  mod: '⌘',
  ctrl: '⌃',
  alt: '⌥',
  shift: '⇧',
  enter: '↵',
  escape: 'esc',
  backspace: '⌫',
}
const otherPlatformKeys: Record<string, string> = {
  mod: 'Ctrl',
  ctrl: 'Ctrl',
  alt: 'Alt',
  shift: 'Shift',
  enter: '↵',
  escape: 'Esc',
}
const arrows: Record<string, string> = { up: '↑', down: '↓', left: '←', right: '→' }
const keyNames: Record<string, string> = {
  '⌘': 'Command',
  '⌃': 'Control',
  '⌥': 'Option',
  '⇧': 'Shift',
  '↵': 'Enter',
  '⌫': 'Backspace',
}

export function displayedKeys(shortcut: Shortcut, apple: boolean): string[] {
  const names = apple ? applePlatformKeys : otherPlatformKeys
  return split(shortcut).map(
    (key) => names[key] ?? arrows[key] ?? (key.length === 1 ? key.toUpperCase() : key),
  )
}

/** The shortcut as a screen reader says it: "Command K", "G then I". */
export function spoken(shortcut: Shortcut, apple: boolean): string {
  const keys = displayedKeys(shortcut, apple).map((key) => keyNames[key] ?? key)
  return keys.join(shortcut.includes(' ') ? ' then ' : ' ')
}

/** Whether the keyboard in front of the reader has ⌘ where others have Ctrl. Asks the browser. */
export const isAppleKeyboard = () => /mac|iphone|ipad/i.test(navigator.platform)

/** Whether this key press is the shortcut. Only for keys pressed together. */
export function isPressed(shortcut: Shortcut, event: KeyPress, apple: boolean): boolean {
  const keys = split(shortcut)
  const key = keys.at(-1) ?? ''
  return (
    event.key.toLowerCase() === key &&
    event.metaKey === (apple && keys.includes('mod')) &&
    event.ctrlKey === ((!apple && keys.includes('mod')) || keys.includes('ctrl')) &&
    event.altKey === keys.includes('alt') &&
    (event.shiftKey === keys.includes('shift') || isSymbol(key))
  )
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'altKey' | 'shiftKey'>

/** `?` needs Shift on one keyboard and not on another; only letters and digits say which. */
const isSymbol = (key: string) => key.length === 1 && !/[a-z0-9]/.test(key)

const split = (shortcut: Shortcut) => shortcut.toLowerCase().split(/[+ ]/)
