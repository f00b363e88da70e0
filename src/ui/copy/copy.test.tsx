import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { announcement } from './copy'
import { CopyableId } from './CopyableId'
import { CopyButton } from './CopyButton'

test('copy buttons have no live region each', () => {
  const markup = renderToStaticMarkup(
    <>
      <CopyButton text="a" />
      <CopyableId id="a" label="Distinct id" />
    </>,
  )
  expect(markup).toContain('Copy distinct id a')
  expect(markup).not.toMatch(/<output|aria-live|role="status"/)
})

test('an announcement is read for a moment, and again after the next press', () => {
  vi.useFakeTimers()
  const heard: string[] = []
  const stop = announcement.subscribe(() => heard.push(announcement.read()))
  announcement.say('Copied')
  vi.runAllTimers()
  announcement.say('Copied')
  vi.runAllTimers()
  stop()
  announcement.say('unheard')
  vi.useRealTimers()
  expect(heard).toEqual(['Copied', '', 'Copied', ''])
})
