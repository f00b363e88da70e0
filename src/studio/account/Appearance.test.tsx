import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { Appearance } from './Appearance'

vi.mock('#studio/shell/Commands', () => ({ useCommands: () => ({ setTheme() {} }) }))

test('each theme says what it does', () => {
  const text = renderToStaticMarkup(<Appearance theme="dark" />).replaceAll(/<[^>]*>/g, '|')

  expect(text).toMatch(/System\|+Follows this device\..*Light\|+Always light\..*Dark\|+Always dark\./)
})
