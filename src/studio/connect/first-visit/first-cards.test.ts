import { expect, test } from 'vitest'
import type { StoredLiveEvent } from '#events/live-event'
import { firstCards } from './first-cards'

const anEvent = (
  name: string,
  path: string,
  properties: StoredLiveEvent['properties'] = {},
): StoredLiveEvent => ({
  kind: 'stored',
  at: '2026-11-30T12:00:00Z',
  receivedAt: '2026-11-30T12:00:00Z',
  uuid: `${name} ${path}`,
  name,
  distinctId: 'ana',
  personId: 'p',
  sessionId: 's',
  isCookieless: true,
  columns: { host: 'shop.example', path },
  groups: {},
  properties,
})

const titles = (liveEvents: readonly StoredLiveEvent[], buttons: readonly string[] = []) =>
  firstCards({ slug: 'shop', liveEvents, buttons }).map(({ title }) => title)

test('a visit of a page makes a goal, a flag and a survey of that page', () => {
  const visit = [anEvent('$pageview', '/'), anEvent('$pageview', '/pricing')]
  expect(titles(visit)).toEqual(['Goal: visits of /pricing', 'Flag on /pricing', 'Survey on /pricing'])
  expect(firstCards({ slug: 'shop', liveEvents: visit, buttons: [] }).map(({ href }) => href)).toEqual([
    '/studio/shop/web/goals?new=Visits+of+%2Fpricing&page=%2Fpricing',
    '/studio/shop/flags/new?key=pricing',
    '/studio/shop/surveys/new?page=%2Fpricing',
  ])
})

test('a button of the page makes a goal and a flag, with the line for the page', () => {
  const cards = firstCards({
    slug: 'shop',
    liveEvents: [anEvent('$pageview', '/')],
    buttons: ['Start free', 'Buy'],
  })
  expect(cards.map(({ title, code }) => [title, code])).toEqual([
    ['Goal: visits of /', undefined],
    ['Goal: clicks on “Start free”', '<button data-tilth-event="start-free">Start free</button>'],
    ['Flag on “Start free”', '<button data-tilth-flag="start-free" hidden>Start free</button>'],
    ['Survey on /', undefined],
  ])
})

test('what was clicked comes before what could be', () => {
  const clicked = anEvent('$autocapture', '/', { $el_text: ' Buy now ' })
  expect(titles([clicked], ['Start free'])).toContain('Goal: clicks on “Buy now”')
  expect(titles([anEvent('$pageview', '/'), anEvent('signup', '/join')])).toContain('Goal: signup')
  expect(titles([anEvent('$form_submit', '/join')])[0]).toMatch(/^Goal: (?!visits)/)
})

test('a stranger’s text stays text in the line for the page, and a key stays a key', () => {
  const [, , flag] = firstCards({
    slug: 'shop',
    liveEvents: [],
    buttons: ['"><img src=x onerror=alert(1)>'],
  })
  expect(flag?.code).toBe(
    '<button data-tilth-flag="img-src-x-onerror-alert-1" hidden>&#34;&#62;&#60;img src=x onerror=alert(1)&#62;</button>',
  )
  expect(titles([], ['無料で始める'])).toContain('Flag on “無料で始める”')
  expect(firstCards({ slug: 'shop', liveEvents: [], buttons: ['無料で始める'] })[2]?.href).toBe(
    '/studio/shop/flags/new?key=button',
  )
})
