import { describe, expect, test } from 'vitest'
import { demoDays, demoEvents, demoNow } from '#test/product/demo-events'
import type { Json } from '#events/event'
import { beginningBefore, eventsByDay } from './demo-days'
import type { DemoEvent } from './event'
import { dayMs, story } from './story'

const events = demoEvents({ events: 100_000 })
const begin = beginningBefore(demoNow)
const dayOf = ({ timestamp }: DemoEvent): number =>
  Math.floor((Date.parse(timestamp) - begin.getTime()) / dayMs)
const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
const named = (name: string): DemoEvent[] => events.filter(({ event }) => event === name)
const whoDid = (name: string, on: (day: number) => boolean = () => true): Set<string> =>
  new Set(named(name).flatMap((event) => (on(dayOf(event)) ? [event.distinct_id] : [])))

describe('the telling', () => {
  test('is the same every time, and another with another seed', () => {
    expect(demoEvents()).toEqual(demoEvents())
    expect(demoEvents({ seed: 'other' })).not.toEqual(demoEvents())
  })

  test.each([20_000, 60_000])('has about as many events as wanted: %i', (wanted) => {
    const amount = demoEvents({ events: wanted }).length
    expect(amount / wanted).toBeGreaterThan(0.85)
    expect(amount / wanted).toBeLessThan(1.15)
  })

  test('has so few people when it is thin that the amount is a matter of chance, but not on average', () => {
    const amounts = Array.from({ length: 20 }, (_, i) => demoEvents({ seed: `${i}`, events: 1000 }).length)
    const average = amounts.reduce((sum, one) => sum + one, 0) / amounts.length
    expect(average / 1000).toBeGreaterThan(0.85)
    expect(average / 1000).toBeLessThan(1.15)
  })

  test('gives every event a uuid of its own', () => {
    expect(new Set(events.map(({ uuid }) => uuid)).size).toBe(events.length)
  })

  test('goes from the oldest to the newest, over ninety days, and never beyond now', () => {
    const times = events.map(({ timestamp }) => timestamp)
    expect(times).toEqual(times.toSorted())
    expect(dayOf(events[0] as DemoEvent)).toBe(0)
    expect(times.at(-1)?.slice(0, 13)).toBe('2026-03-14T11')
    expect(demoDays({ events: 5000 })).toHaveLength(story.days + 1)
  })

  test('agrees tomorrow with what it said today', () => {
    const tomorrow = new Date(demoNow.getTime() + dayMs)
    const longer = [...eventsByDay({ seed: 'test', begin, until: tomorrow, events: 1000 })].flat()
    const today = demoEvents()
    expect(longer.slice(0, today.length)).toEqual(today)
    expect(longer.length).toBeGreaterThan(today.length)
  })

  test('keeps a sitting within one session that begins with its first event', () => {
    const sessions = Map.groupBy(
      events.filter(({ properties }) => properties['$session_id'] !== undefined),
      ({ properties }) => textOf(properties['$session_id']),
    )
    for (const [id, [first]] of sessions) {
      const start = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
      expect(Date.parse(first?.timestamp ?? '') - start).toBeLessThan(2000)
    }
  })
})

describe('the story', () => {
  const perDay = (from: number, until: number, of = events): number =>
    of.filter((event) => dayOf(event) >= from && dayOf(event) < until).length / (until - from)

  test('has weeks: weekends are quiet', () => {
    const weekdayOf = ({ timestamp }: DemoEvent) => new Date(timestamp).getUTCDay()
    const isQuiet = (event: DemoEvent) => [0, 6].includes(weekdayOf(event))
    const ordinary = events.filter((event) => Math.abs(dayOf(event) - story.launch.day) > 7)
    const atWeekends = ordinary.filter(isQuiet).length / 2
    const onWorkdays = ordinary.filter((event) => !isQuiet(event)).length / 5
    expect(atWeekends / onWorkdays).toBeGreaterThan(0.2)
    expect(atWeekends / onWorkdays).toBeLessThan(0.6)
  })

  test('has nights: at three where people live, hardly anybody is there', () => {
    const german = named('$pageview').filter(({ properties }) => properties['$timezone'] === 'Europe/Berlin')
    const at = (hour: number) =>
      german.filter(({ timestamp }) => new Date(timestamp).getUTCHours() === hour - 1).length
    expect(at(3) * 8).toBeLessThan(at(10))
  })

  test('has a launch that everyone talks about', () => {
    const { day } = story.launch
    expect(perDay(day, day + 1) / perDay(day - 7, day)).toBeGreaterThan(3)
    expect(perDay(day + 7, day + 14)).toBeLessThan(perDay(day, day + 1))
  })

  test('has a campaign of two weeks', () => {
    const { from, until, name } = story.campaign
    const clicked = named('$pageview').filter(({ properties }) =>
      textOf(properties['$current_url']).includes(`utm_campaign=${name}`),
    )
    expect(clicked.length).toBeGreaterThan(100)
    // a sitting may begin before midnight and end after it
    expect(clicked.every((event) => dayOf(event) >= from && dayOf(event) <= until)).toBe(true)
  })

  test('has a funnel that gets narrower at every step, and does not run dry', () => {
    const saw = (path: string) =>
      named('$pageview').filter(
        ({ properties }) => new URL(textOf(properties['$current_url'])).pathname === path,
      )
    const visitors = new Set(events.map(({ properties }) => properties['$device_id'])).size
    const sawPrices = new Set(saw('/pricing').map(({ properties }) => properties['$device_id'])).size
    const [signed, activated, subscribed] = [whoDid('signup'), whoDid('activated'), whoDid('subscribed')].map(
      ({ size }) => size,
    )
    const share = (part = 0, of = 0) => part / of
    expect(share(sawPrices, visitors)).toBeGreaterThan(0.1)
    expect(share(sawPrices, visitors)).toBeLessThan(0.5)
    expect(share(signed, sawPrices)).toBeGreaterThan(0.08)
    expect(share(signed, sawPrices)).toBeLessThan(0.4)
    expect(share(activated, signed)).toBeGreaterThan(0.4)
    expect(share(activated, signed)).toBeLessThan(0.8)
    expect(share(subscribed, activated)).toBeGreaterThan(0.1)
    expect(share(subscribed, activated)).toBeLessThan(0.5)
  })

  test('has people who stay, and more of them after the release', () => {
    /** Returns the share of those who signed up on these days that was there in the week so many weeks later. */
    const kept = (from: number, until: number, week: number): number => {
      const signedUp = new Map(named('signup').map((event) => [event.distinct_id, dayOf(event)]))
      const cohort = [...signedUp].filter(([, day]) => day >= from && day < until)
      const there = new Set(
        named('$pageview').flatMap((event) => {
          const day = signedUp.get(event.distinct_id)
          const age = day === undefined ? -1 : dayOf(event) - day
          return age > 0 && Math.floor((age - 1) / 7) === week ? [event.distinct_id] : []
        }),
      )
      return cohort.filter(([person]) => there.has(person)).length / cohort.length
    }
    const { day } = story.release
    expect(kept(0, day, 0)).toBeGreaterThan(0.4)
    expect(kept(0, day, 1)).toBeLessThan(kept(0, day, 0) * 0.7)
    expect(kept(0, day - 7, 3)).toBeGreaterThan(0.1)
    expect(kept(day, 76, 1) / kept(0, day - 14, 1)).toBeGreaterThan(1.2)
  })

  test('has a flag of which one variant makes more people sign up', () => {
    const shares = ['control', 'outcome'].map((variant) => {
      const called = named('$feature_flag_called').filter(
        ({ properties }) =>
          properties['$feature_flag_response'] === variant &&
          properties['$feature_flag'] === 'pricing-headline',
      )
      const shown = new Set(called.map(({ properties }) => properties['$device_id']))
      const signed = named('signup').filter(({ properties }) => shown.has(properties['$device_id'] ?? null))
      return signed.length / shown.size
    })
    expect((shares[1] ?? 0) / (shares[0] ?? 1)).toBeGreaterThan(1.15)
  })

  test('has a flag for a quarter of all devices, and one that no code asks for any more', () => {
    const called = (flag: string) =>
      named('$feature_flag_called').filter(({ properties }) => properties['$feature_flag'] === flag)
    const shortcuts = called('card-shortcuts')
    const on = shortcuts.filter(({ properties }) => properties['$feature_flag_response'] === true)
    expect(on.length / shortcuts.length).toBeGreaterThan(0.15)
    expect(on.length / shortcuts.length).toBeLessThan(0.35)
    expect(Math.max(...called('legacy-editor').map(dayOf))).toBeLessThan(story.days - 40)
    expect(called('plan-limits').some((event) => dayOf(event) === story.days)).toBe(true)
  })

  test('gives a device the same of a flag whenever it is asked for, and says so with every event', () => {
    const valuesByName = new Map<string, Set<Json>>()
    for (const { properties } of events)
      for (const flag of ['pricing-headline', 'card-shortcuts']) {
        const got = properties[`$feature/${flag}`]
        const key = `${textOf(properties['$device_id'])} ${flag}`
        if (got !== undefined) valuesByName.set(key, (valuesByName.get(key) ?? new Set()).add(got))
      }
    expect(valuesByName.size).toBeGreaterThan(100)
    expect([...valuesByName.values()].every(({ size }) => size === 1)).toBe(true)
  })

  test('has payments that come back every month', () => {
    expect(named('invoice paid').length).toBeGreaterThan(5)
    for (const { properties } of [...named('subscribed'), ...named('invoice paid')]) {
      expect(properties['$revenue']).toBeGreaterThan(0)
      expect(properties['$currency']).toBe('EUR')
    }
  })

  test('has days on which no one can pay', () => {
    const failures = named('$exception').filter(({ properties }) =>
      JSON.stringify(properties).includes('PaymentError'),
    )
    const { from, until } = story.outage
    expect(failures.length).toBeGreaterThan(3)
    // a sitting may end after midnight
    expect(failures.every((event) => dayOf(event) >= from && dayOf(event) <= until)).toBe(true)
    const paid = named('subscribed').filter((event) => dayOf(event) > from && dayOf(event) < until)
    expect(paid).toEqual([])
  })

  test.each([
    '$pageview',
    '$pageleave',
    '$web_vitals',
    '$autocapture',
    '$rageclick',
    '$outbound_click',
    '$file_download',
    '$form_submit',
    '$not_found',
    '$screen',
    '$exception',
    '$identify',
    '$create_alias',
    '$groupidentify',
    '$feature_flag_called',
    'survey shown',
    'survey sent',
    'survey dismissed',
    'survey abandoned',
    'subscription cancelled',
  ])('has %s in it', (name) => expect(named(name)).not.toEqual([]))
})
