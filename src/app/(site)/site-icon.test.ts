import { expect, test } from 'vitest'
import { letterIcon } from './describe-page'

const textOf = (name: string): string =>
  decodeURIComponent(letterIcon({ name, accent: '#1f6f4a', accentDark: '' }))

test.each([
  ['acme', '>A</text>'],
  [' Überall', '>Ü</text>'],
  ['👩‍🔬 Labs', '>👩‍🔬</text>'],
  ['<b>', '>&lt;</text>'],
  ['', '></text>'],
])('the icon of “%s” has its first letter', (name, text) => {
  expect(textOf(name)).toContain(text)
  expect(textOf(name)).toContain('fill="#1f6f4a"')
})
