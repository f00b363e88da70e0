import { writeFileSync } from 'node:fs'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readTheme } from './theme'

function themeOf(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'tilth-theme-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'theme.json'), text)
  return readTheme(folder, 'theme.json')
}

test('tokens become custom properties of the site', () =>
  expect(
    themeOf('{"colors": {"accent": "#900", "background": {"light": "#fff", "dark": "#000"}}, "radius": "0"}'),
  ).toEqual({
    done: true,
    theme: {
      css: ':root:root {\n  --ground: light-dark(#fff, #000);\n  --accent: #900;\n  --radius: 0;\n}\n',
      backgrounds: { light: '#fff', dark: '#000' },
    },
  }))

test('a name that is no token is a problem with its line', () =>
  expect(themeOf('{\n  "colors": {\n    "accentt": "#900"\n  }\n}')).toMatchObject({
    done: false,
    problems: [{ file: 'theme.json', line: 2, message: expect.stringMatching(/accentt/) }],
  }))
