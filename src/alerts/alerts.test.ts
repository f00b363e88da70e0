import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { aFolder, aWorld, requireDone, problemMessages, memberHelpers, present } from '#test/product/fixture'
import { aHook } from '#test/outside/hook'
import { anEngine, type TestEvent, uuidFor } from '#test/product/test-engine'
import { aMailServer, type ReceivedLetter } from '#test/outside/smtp'
import { type Engine, EngineError } from '#engine/engine'
import { Seal } from '#flags/seal'
import { signatureHeaders } from '#outbound/signature'
import { operator } from '#projects/access'
import { alertJobs, openAlerts } from './open'
import { openProduct } from '#server/product'
import { openStore } from '#store/open'
import type { Recipient } from './recipient'
import { sealSecret } from './internal/webhook-secret'

const testEngine = anEngine()

describe('an alert', () => {
  test('is told when it comes true and when it is over, by letter and by webhook', async () => {
    const stage = await setUp([
      ...views('2026-02-28', 10),
      ...views('2026-03-01', 4),
      ...views('2026-03-02', 9),
    ])
    const [hook, ana] = [await aHook(), await stage.aMember({ name: 'Ana Berg' })]
    const alert = await stage.anAlert({
      condition: { type: 'relative', does: 'fall', by: 30, interval: 'day' },
      recipients: [
        { by: 'webhook', url: hook.url },
        { by: 'member', member: ana.id },
      ],
    })

    await stage.check()

    expect(await stage.look(alert.id)).toMatchObject({
      verdict: { state: 'firing', value: 4, against: 10 },
      told: 'firing',
    })
    const [call] = hook.calls
    const body = JSON.parse(call?.body ?? '')
    expect(body).toMatchObject({
      type: 'alert.firing',
      text: expect.stringContaining(
        'Alert: Fewer views (4, against 10) https://tilth.example/studio/acme/alerts/',
      ),
      verdict: { state: 'firing', value: 4, against: 10 },
    })
    const secret = alert.recipients.flatMap((one) => (one.by === 'webhook' ? one.secret : []))[0] ?? ''
    const [id, at] = [String(call?.headers['webhook-id']), stage.world.now()]
    expect(call?.headers).toMatchObject(signatureHeaders(call?.body ?? '', { secret, id, at }))
    expect(stage.mail.letters.map(told)).toEqual([['ana.berg@acme.example', 'Alert: Fewer views (Acme)']])

    stage.world.advance('1 hour')
    await stage.check()
    expect(hook.calls).toHaveLength(1)

    stage.world.advance('1 day')
    await stage.check()
    expect(hook.calls.map(({ body: text }) => JSON.parse(text).type)).toEqual([
      'alert.firing',
      'alert.recovered',
    ])
    const { changes } = requireDone(await stage.alerts.changes(stage.project.id, alert.id, operator()))
    expect(changes.map(({ verdict }) => verdict.state)).toEqual(['ok', 'firing'])
  })

  test('says nothing while the engine is away, and is told once it is back', async () => {
    const stage = await setUp([...views('2026-03-01', 4)])
    const hook = await aHook()
    const alert = await stage.anAlert({ recipients: [{ by: 'webhook', url: hook.url }] })
    stage.engineIs('away')

    await stage.check()
    expect(await stage.look(alert.id)).toMatchObject({ verdict: { state: 'unknown' }, told: 'ok' })
    expect(hook.calls).toEqual([])

    stage.engineIs('there')
    stage.world.advance('15 minutes')
    await stage.check()
    expect(await stage.look(alert.id)).toMatchObject({ verdict: { state: 'firing', value: 4 } })
    expect(hook.calls).toHaveLength(1)
  })

  test('of silence is no alarm when it was Tilth that did not listen', async () => {
    const stage = await setUp([{ person: 'ana', event: '$pageview', at: '2026-03-02T09:50:00Z' }])
    const hook = await aHook()
    const alert = await stage.anAlert({
      condition: { type: 'absence', minutes: 30 },
      every: '5m',
      recipients: [{ by: 'webhook', url: hook.url }],
    })
    const state = async () => {
      await stage.check()
      return (await stage.look(alert.id)).verdict
    }
    await stage.beat()
    expect(await state()).toMatchObject({ state: 'ok', value: 1 })

    // the collection stops
    stage.world.advance('40 minutes')
    expect(await state()).toMatchObject({
      state: 'unknown',
      why: 'Event collection was interrupted in this time.',
    })

    await stage.beatFor(25)
    expect(await state()).toMatchObject({ state: 'unknown' })
    await stage.beatFor(10)
    expect(await state()).toMatchObject({ state: 'firing', value: 0 })

    stage.collectionIs('The disk is full.')
    await stage.beatFor(10)
    expect(await state()).toMatchObject({
      state: 'unknown',
      why: expect.stringContaining('The disk is full.'),
    })
    expect(hook.calls.map(({ body }) => JSON.parse(body).type)).toEqual(['alert.firing'])
  })

  test('too little is no alarm when a part of the time was not collected', async () => {
    const stage = await setUp(views('2026-03-02', 2))
    await stage.beat()
    stage.world.advance('8 hours')
    await stage.beatFor(8 * 60)
    const alert = await stage.anAlert({})
    await stage.check()
    expect(await stage.look(alert.id)).toMatchObject({
      verdict: { state: 'unknown', why: 'Events were not collected for 480 minutes of this time.' },
    })
  })

  test.each([
    ['Europe/Berlin', 1],
    ['UTC', 2],
  ])('counts the days of its project: in %s yesterday had %i', async (timeZone, value) => {
    const at = (time: string): TestEvent => ({ person: 'ana', event: '$pageview', at: time })
    const stage = await setUp([at('2026-03-01T23:30:00Z'), at('2026-03-01T22:30:00Z')], timeZone)
    const alert = await stage.anAlert({})
    await stage.check()
    expect(await stage.look(alert.id)).toMatchObject({ verdict: { value } })
  })

  test('compares an hour with the same hour a week before', async () => {
    const stage = await setUp([
      { person: 'ana', event: '$pageview', at: '2026-02-23T09:10:00Z' },
      { person: 'ben', event: '$pageview', at: '2026-02-23T09:50:00Z' },
      { person: 'ana', event: '$pageview', at: '2026-03-02T08:30:00Z' },
      { person: 'ana', event: '$pageview', at: '2026-03-02T09:30:00Z' },
    ])
    const week = { type: 'relative', does: 'fall', by: 40, interval: 'hour', against: 'week-before' }
    const alert = await stage.anAlert({ condition: week })
    await stage.check()
    expect(await stage.look(alert.id)).toMatchObject({ verdict: { state: 'firing', value: 1, against: 2 } })
  })

  test('of a saved trend watches one of its lines, and is in the way of its archive', async () => {
    const stage = await setUp([
      ...views('2026-03-01', 3),
      { person: 'ana', event: 'bought', at: '2026-03-01T10:00:00Z' },
    ])
    const { insight } = requireDone(
      await stage.product.insights.saved.create(
        stage.project.id,
        {
          name: 'Sales',
          question: {
            kind: 'trend',
            series: [{ event: '$pageview' }, { event: 'bought' }],
            cumulative: true,
          },
        },
        operator(),
      ),
    )
    const alert = await stage.anAlert({ watched: { type: 'insight', insight: insight.id, line: 1 } })
    await stage.check()
    expect(await stage.look(alert.id)).toMatchObject({ verdict: { state: 'firing', value: 1 } })

    const archive = (anyway: boolean) =>
      stage.product.insights.saved.archive(stage.project.id, insight.id, { anyway }, operator())
    expect(problemMessages(await archive(false))[0]).toContain('the alert “Fewer views”')
    requireDone(await archive(true))
    stage.world.advance('1 hour')
    await stage.check()
    expect(await stage.look(alert.id)).toMatchObject({
      verdict: { state: 'unknown', why: '“Sales” is archived. Restore it, or choose another.' },
    })
  })

  test('watches an NPS, and a detractor who answers', async () => {
    const stage = await setUp([
      ...[10, 9, 3].map((score) => answer(score, '2026-03-01T08:00:00Z')),
      answer(7, '2026-03-02T09:50:00Z'),
    ])
    const score = { type: 'event', key: '$survey_response_score' }
    const ofSurvey = { type: 'event', key: '$survey_id', operator: 'exact', value: ['nps'] }
    const watched = { type: 'event', event: 'survey sent' }
    const nps = await stage.anAlert({
      watched: { ...watched, filter: ofSurvey, measure: { math: 'nps', property: score } },
      condition: { type: 'threshold', is: 'below', value: 40, interval: 'day' },
    })
    const isDetractor = { ...score, operator: 'lte', value: 6 }
    const detractor = await stage.anAlert({
      watched: { ...watched, filter: { all: [ofSurvey, isDetractor] } },
      condition: { type: 'threshold', is: 'above', value: 0, interval: 'day', of: 'running' },
    })

    await stage.check()
    expect(await stage.look(nps.id)).toMatchObject({
      verdict: { state: 'firing', value: expect.closeTo(100 / 3, 9) },
    })
    expect(await stage.look(detractor.id)).toMatchObject({ verdict: { state: 'ok', value: 0 } })

    await testEngine.fill('events', [
      {
        project_id: stage.project.id,
        uuid: uuidFor('a detractor'),
        event: 'survey sent',
        timestamp: '2026-03-02 10:10:00.000',
        received_at: '2026-03-02 10:10:00',
        distinct_id: 'ana',
        person_id: uuidFor('ana'),
        traffic: 'human',
        properties: { $survey_id: 'nps', $survey_response_score: '2' },
      },
    ])
    stage.world.advance('15 minutes')
    await stage.check()
    expect(await stage.look(detractor.id)).toMatchObject({ verdict: { state: 'firing', value: 1 } })
  })

  test('that is tested tells everyone at once, and leaves what is known of it alone', async () => {
    const stage = await setUp(views('2026-03-01', 4))
    const hook = await aHook()
    const alert = await stage.anAlert({ recipients: [{ by: 'webhook', url: hook.url }] })

    const { verdict } = requireDone(await stage.alerts.test(stage.project.id, alert.id, operator()))
    await stage.deliver()

    expect(verdict).toMatchObject({ state: 'firing', value: 4 })
    expect(hook.calls.map(({ body }) => JSON.parse(body).type)).toEqual(['alert.test'])
    expect(await stage.look(alert.id)).toMatchObject({ verdict: undefined, told: 'ok' })
  })

  test('that is muted is looked at and not told', async () => {
    const stage = await setUp(views('2026-03-01', 4))
    const hook = await aHook()
    const alert = await stage.anAlert({ recipients: [{ by: 'webhook', url: hook.url }] })
    requireDone(await stage.alerts.mute(stage.project.id, alert.id, { hours: 2 }, operator()))
    await stage.check()
    expect(await stage.look(alert.id)).toMatchObject({ verdict: { state: 'firing' }, told: 'ok' })
    expect(hook.calls).toEqual([])

    stage.world.advance('2 hours')
    await stage.check()
    expect(hook.calls).toHaveLength(1)
  })

  test('draws the last thirty of what it watches', async () => {
    const stage = await setUp(views('2026-03-01', 4))
    const draft = { watched: pageviews, condition: tooFew }
    const { course } = requireDone(await stage.alerts.course(stage.project.id, draft, operator()))
    expect(course).toMatchObject({ label: 'Page view', interval: 'day', lastIsIncomplete: true })
    expect(course.values.slice(-3)).toEqual([0, 4, 0])
    expect(course.values).toHaveLength(31)
    expect(course.against).toBeUndefined()
  })

  test('draws a change with what each interval is held against, the earliest too', async () => {
    const stage = await setUp([
      ...views('2026-01-30', 3),
      ...views('2026-02-22', 2),
      ...views('2026-03-01', 4),
    ])
    const course = async (condition: object) =>
      requireDone(await stage.alerts.course(stage.project.id, { watched: pageviews, condition }, operator()))
        .course
    const weekly = { type: 'relative', does: 'fall', by: 10, against: 'week-before', interval: 'day' }
    const { starts, values, against = [] } = await course(weekly)
    expect([starts.length, values.length, against.length]).toEqual([31, 31, 31])
    const days = (numbers: readonly (number | null)[]) =>
      starts.flatMap((start, place) => (numbers[place] ? [[start.slice(0, 10), numbers[place]]] : []))
    expect(days(values)).toEqual([
      ['2026-02-22', 2],
      ['2026-03-01', 4],
    ])
    expect(days(against)).toEqual([
      ['2026-02-06', 3],
      ['2026-03-01', 2],
    ])
    const hourly = await course({ ...weekly, interval: 'hour' })
    expect(hourly.against).toHaveLength(31)
  })

  test.each([
    ['http://127.0.0.2/hook', 'not on the open internet'],
    ['http://169.254.169.254/latest/meta-data', 'not on the open internet'],
    ['ftp://example.com/', 'https:// or http://'],
    ['https://user:pass@example.com/', 'name and password'],
  ])('is not told to %s', async (url, sentence) => {
    const stage = await setUp([], 'UTC', '127.0.0.1')
    const outcome = await stage.alerts.create(
      stage.project.id,
      { ...usual, recipients: [{ by: 'webhook', url }] },
      operator(),
    )
    expect(problemMessages(outcome)[0]).toContain(sentence)
  })
})

describe('what is told', () => {
  test('is tried again when no one answers, further and further apart, and is the same each time', async () => {
    const stage = await setUp(views('2026-03-01', 4))
    const hook = await aHook()
    hook.answerWith(500)
    const alert = await stage.anAlert({ recipients: [{ by: 'webhook', url: hook.url }] })
    await stage.check()
    await stage.deliver()
    expect(hook.calls).toHaveLength(1)

    stage.world.advance('30 seconds')
    hook.answerWith(503, { 'retry-after': '600' })
    await stage.deliver()
    stage.world.advance('2 minutes')
    await stage.deliver()
    expect(hook.calls).toHaveLength(2)

    stage.world.advance('8 minutes')
    hook.answerWith(200)
    await stage.deliver()
    stage.world.advance('1 day')
    await stage.deliver()

    expect(hook.calls).toHaveLength(3)
    expect(new Set(hook.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(requireDone(await stage.alerts.told(stage.project.id, alert.id, operator())).told).toMatchObject([
      { state: 'sent', attempts: 3, outcome: 'HTTP 200.' },
    ])
  })

  test('waits for no other address: neither webhook nor letter', async () => {
    const stage = await setUp(views('2026-03-01', 4))
    const [silent, quick, ana] = [await aHook(), await aHook(), await stage.aMember({ name: 'Ana Berg' })]
    silent.hold()
    const stuck = await stage.anAlert({
      recipients: Array.from({ length: 20 }, (_, n) => ({ by: 'webhook', url: `${silent.url}/${n}` })),
    })
    const other = await stage.anAlert({
      recipients: [
        { by: 'webhook', url: quick.url },
        { by: 'member', member: ana.id },
      ],
    })
    await stage.alerts.test(stage.project.id, stuck.id, operator())
    const delivering = stage.deliver()
    await expect.poll(() => silent.calls.length).toBeGreaterThan(0)

    await stage.alerts.test(stage.project.id, other.id, operator())
    await expect.poll(() => [quick.calls.length, stage.mail.letters.length]).toEqual([1, 1])
    expect(silent.calls.length).toBeLessThan(10)
    silent.letGo()
    await delivering
  })

  test('waits in the store while the mail server is away, and is sent once it is there', async () => {
    const stage = await setUp(views('2026-03-01', 4))
    const ana = await stage.aMember({ name: 'Ana Berg' })
    const alert = await stage.anAlert({ recipients: [{ by: 'member', member: ana.id }] })
    const addProject = async () => await stage.alerts.test(stage.project.id, alert.id, operator())
    const listed = async () =>
      requireDone(await stage.alerts.told(stage.project.id, alert.id, operator())).told
    const reopen = await stage.mail.stop()
    for (let n = 0; n < 6; n++) await addProject()
    await stage.deliver()
    expect((await listed()).map(({ state, attempts }) => `${state} ${attempts}`).toSorted()).toEqual([
      'waiting 0',
      'waiting 0',
      'waiting 0',
      'waiting 1',
      'waiting 1',
      'waiting 1',
    ])
    expect((await listed())[0]?.outcome).toMatch(
      /The mail server has not answered since 2026-03-02 10:00 UTC/,
    )

    stage.world.advance('5 days')
    await stage.deliver()
    await addProject()
    await reopen()
    stage.world.advance('1 hour')
    await stage.deliver()
    expect((await listed()).map(({ state }) => state)).toEqual(Array.from({ length: 7 }, () => 'sent'))
  })

  test('to someone outside waits for their word, and ends with it', async () => {
    const stage = await setUp(views('2026-03-01', 4))
    const eve = { by: 'mail', address: 'eve@example.com' }
    const alert = await stage.anAlert({ recipients: [eve] })
    await stage.check()

    const [letter] = stage.mail.letters
    expect(stage.mail.letters.map(told)).toEqual([['eve@example.com', 'Confirm e-mails about Acme']])
    expect([...(await stage.alerts.obstacles(alert, operator())).values()]).toEqual(['unconfirmed'])

    await stage.press(letter)
    requireDone(await stage.alerts.test(stage.project.id, alert.id, operator()))
    await stage.deliver()
    expect(stage.mail.letters.map(told).slice(1)).toEqual([['eve@example.com', 'Test: Fewer views (Acme)']])

    await stage.press(stage.mail.letters[1])
    requireDone(await stage.alerts.test(stage.project.id, alert.id, operator()))
    await stage.deliver()
    expect(stage.mail.letters).toHaveLength(2)
    expect([...(await stage.alerts.obstacles(alert, operator())).values()]).toEqual(['unsubscribed'])

    // a confirmation is asked for once a day at most, however often the address is added
    const other = await stage.anAlert({ recipients: [{ by: 'mail', address: 'new@example.com' }] })
    requireDone(await stage.alerts.remove(stage.project.id, other.id, operator()))
    await stage.anAlert({ recipients: [{ by: 'mail', address: 'new@example.com' }] })
    await stage.deliver()
    expect(stage.mail.letters.map(told).slice(2)).toEqual([['new@example.com', 'Confirm e-mails about Acme']])
  })

  test('to a member ends when they leave the project', async () => {
    const stage = await setUp(views('2026-03-01', 4))
    const ana = await stage.aMember({ name: 'Ana Berg' })
    const alert = await stage.anAlert({ recipients: [{ by: 'member', member: ana.id }] })
    requireDone(await stage.product.projects.members.remove(stage.project.id, ana.id, operator()))
    await stage.check()
    expect(stage.mail.letters).toEqual([])
    expect(requireDone(await stage.alerts.told(stage.project.id, alert.id, operator())).told).toMatchObject([
      { state: 'failed', outcome: 'No longer a member of the project.' },
    ])
  })

  test('is text in a letter, whatever it is called', async () => {
    const stage = await setUp(views('2026-03-01', 4))
    const ana = await stage.aMember({ name: 'Ana Berg' })
    await stage.anAlert({
      name: '<img src=x onerror=alert(1)>',
      recipients: [{ by: 'member', member: ana.id }],
    })
    await stage.check()
    const html = decoded(stage.mail.letters[0]).split('<!doctype html>')[1] ?? ''
    expect(html).not.toContain('<img')
    expect(html).not.toMatch(/<[^>]*(?:src=|url\()/)
    expect(html).toContain('&#60;img')
  })
})

describe('a report', () => {
  test('tells the week that is over beside the one before, at its hour, once', async () => {
    const stage = await setUp(
      [...views('2026-02-17', 2), ...views('2026-02-24', 3, 'other'), ...views('2026-03-02', 9)],
      'Europe/Berlin',
    )
    const ana = await stage.aMember({ name: 'Ana Berg' })
    const { report } = requireDone(
      await stage.reports.create(
        stage.project.id,
        {
          name: 'Our week',
          about: { type: 'web' },
          every: 'week',
          hour: 12,
          recipients: [{ by: 'member', member: ana.id }],
        },
        operator(),
      ),
    )
    await stage.writeReports()
    expect(stage.mail.letters).toEqual([])

    stage.world.advance('1 hour')
    stage.engineIs('away')
    await stage.writeReports()
    expect(stage.mail.letters).toEqual([])
    expect((await stage.reports.find(stage.project.id, report.id, operator()))?.trouble).toContain(
      'The report failed',
    )

    stage.engineIs('there')
    stage.world.advance('10 minutes')
    await stage.writeReports()
    stage.world.advance('1 hour')
    await stage.writeReports()

    expect(stage.mail.letters.map(told)).toEqual([
      ['ana.berg@acme.example', 'Our week: 23 Feb 2026 – 1 Mar 2026'],
    ])
    const letter = decoded(stage.mail.letters[0])
    expect(letter).toContain('Views: 3 (+50%)')
    expect(letter).toContain(
      'Acme, 23 Feb 2026 – 1 Mar 2026, compared with the previous week. Time zone: Europe/Berlin.',
    )
    expect(await stage.reports.find(stage.project.id, report.id, operator())).toMatchObject({
      trouble: undefined,
      nextAt: new Date('2026-03-09T11:00:00Z'),
    })

    await stage.press(stage.mail.letters[0])
    requireDone(await stage.reports.sendNow(stage.project.id, report.id, operator()))
    await stage.deliver()
    expect(stage.mail.letters).toHaveLength(1)
  })

  test('begins with what was unusual in the week, if it is weekly', async () => {
    const weeks = ['2025-12-29', '2026-01-05', '2026-01-12', '2026-01-19', '2026-01-26', '2026-02-02']
    const stage = await setUp([
      ...[...weeks, '2026-02-09', '2026-02-16'].flatMap((day) => views(day, 20)),
      ...views('2026-02-24', 60),
    ])
    const previewOf = async (every: 'week' | 'day') => {
      const recipients = [{ by: 'mail', address: 'eve@example.com' }]
      const input = { name: `Each ${every}`, about: { type: 'web' }, every, recipients }
      const { report } = requireDone(await stage.reports.create(stage.project.id, input, operator()))
      return requireDone(await stage.reports.preview(stage.project.id, report.id, operator())).figures
    }
    const { findings } = await previewOf('week')
    expect(findings?.week).toBe('23 Feb – 1 Mar 2026')
    expect(findings?.findings[0]).toMatchObject({
      headline: [{ name: 'Visitors' }, ' +200% against a usual week'],
      reason: expect.stringMatching(/^60 in the week of 23 Feb – 1 Mar 2026; /),
      action: { label: 'See the week', path: 'web?period=2026-02-23..2026-03-01' },
    })
    expect(await previewOf('day')).not.toHaveProperty('findings')
  })

  test('of a dashboard tells each of its cards, and which could not be answered', async () => {
    const stage = await setUp([...views('2026-03-01', 3), ...views('2026-02-28', 2)])
    const card = (title: string, query: object) => ({ content: { type: 'question', title, question: query } })
    const { dashboard } = requireDone(
      await stage.product.dashboards.create(
        stage.project.id,
        {
          name: 'Growth',
          cards: [
            card('Views by page', { kind: 'trend', series: [{ event: '$pageview' }] }),
            card('Pages', { kind: 'breakdown', dimensions: ['page'] }),
            { content: { type: 'text', text: 'Words' } },
          ],
        },
        operator(),
      ),
    )
    const { report } = requireDone(
      await stage.reports.create(
        stage.project.id,
        {
          name: 'Growth',
          about: { type: 'dashboard', dashboard: dashboard.id },
          every: 'day',
          recipients: [{ by: 'mail', address: 'eve@example.com' }],
        },
        operator(),
      ),
    )
    const { figures } = requireDone(await stage.reports.preview(stage.project.id, report.id, operator()))
    expect(figures.period).toBe('1 Mar 2026')
    expect(figures.lists).toMatchObject([
      { title: 'Views by page', rows: [{ label: 'Page view', value: '3', change: '+50%' }] },
      { title: 'Pages' },
    ])
    requireDone(await stage.product.dashboards.archive(stage.project.id, dashboard.id, operator()))
    expect(problemMessages(await stage.reports.preview(stage.project.id, report.id, operator()))).toEqual([
      '“Growth” is archived. Restore it, or choose another.',
    ])
  })

  test('of a dashboard tells the advice about its experiments, and who was exposed', async () => {
    const stage = await setUp([...exposed('control', 2), ...exposed('test', 3)])
    const { experiments, dashboards } = stage.product
    const variants = ['control', 'test'].map((key) => ({ key, percentage: 50 }))
    const drafted = async (key: string, name: string) =>
      requireDone(
        await experiments.createWithFlag(
          stage.project.id,
          { flag: { key, kind: 'variants', variants }, experiment: { name, flag: key, metrics: [orders] } },
          operator(),
        ),
      ).experiment.id
    const [running, draft] = [await drafted('checkout', 'Checkout'), await drafted('later', 'Later')]
    requireDone(await stage.product.flags.turn(stage.project.id, 'checkout', { isOn: true }, operator()))
    const start = { at: '2026-03-01T00:00:00Z' }
    requireDone(await experiments.start(stage.project.id, running, start, operator()))
    const cards = [running, draft].map((experiment) => ({ content: { type: 'experiment', experiment } }))
    const { dashboard } = requireDone(
      await dashboards.create(stage.project.id, { name: 'Growth', cards }, operator()),
    )
    const about = { type: 'dashboard', dashboard: dashboard.id }
    const recipients = [{ by: 'mail', address: 'eve@example.com' }]
    const { report } = requireDone(
      await stage.reports.create(
        stage.project.id,
        { name: 'Growth', about, every: 'day', recipients },
        operator(),
      ),
    )
    const { figures } = requireDone(await stage.reports.preview(stage.project.id, report.id, operator()))
    const { result } = requireDone(await experiments.results.result(stage.project.id, running, operator()))
    expect(figures.lists).toEqual([
      {
        title: `Checkout: ${result.sentence}`,
        counted: 'Exposed',
        rows: [
          { label: 'control', value: '2' },
          { label: 'test', value: '3' },
        ],
      },
    ])
    expect(figures.missing).toEqual([{ title: 'Later', why: 'The experiment has not started.' }])
  })
})

const pageviews = { type: 'event', event: '$pageview' }
const tooFew = { type: 'threshold', is: 'below', value: 5, interval: 'day' }
const usual = {
  name: 'Fewer views',
  watched: pageviews,
  condition: tooFew,
  recipients: [{ by: 'mail', address: 'somebody@example.com' }],
}

const orders = { name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } }

const exposed = (variant: string, count: number): TestEvent[] =>
  Array.from({ length: count }, (_, i) => ({
    person: `${variant} ${i}`,
    event: '$feature_flag_called',
    at: '2026-03-01T12:00:00Z',
    properties: { $feature_flag: 'checkout', $feature_flag_response: variant },
  }))

/** Returns so many views in the morning of a day. */
const answer = (score: number, at: string): TestEvent => ({
  person: `p${score}`,
  event: 'survey sent',
  at,
  properties: { $survey_id: 'nps', $survey_response_score: String(score) },
})

const views = (day: string, count: number, page = 'home'): TestEvent[] =>
  Array.from({ length: count }, (_, i) => ({
    person: `p${i}`,
    event: '$pageview',
    at: `${day}T08:${String(i).padStart(2, '0')}:00Z`,
    session: `${day} ${i}`,
    columns: { path: `/${page}` },
  }))

/** A whole product, its engine and mail server real, in which time is what a test says it is. */
async function setUp(events: readonly TestEvent[], timeZone = 'UTC', allow = '127.0.0.1') {
  const number = await testEngine.addProject(events)
  const [world, folder] = [aWorld(`stage ${number}`), aFolder()]
  let isAway = false
  let trouble: string | undefined
  const engine = switchable(testEngine.engine(), () => isAway)
  const product = await openProduct({ store: { folder }, world, engine })
  const store = await openStore({ folder })
  onTestFinished(async () => {
    await product.close()
    await store.close()
  })
  const project = await projectNumbered(number, timeZone)
  const mail = await aMailServer()
  const seal = new Seal({ folder, world })
  const { dashboards, findings, insights, projects } = product
  const mailSettings = {
    host: '127.0.0.1',
    port: mail.port,
    isSecure: false,
    user: undefined,
    password: undefined,
    from: 'tilth@example.com',
  }
  const alerting = openAlerts(
    {
      store,
      world,
      projects,
      insights,
      dashboards,
      findings,
      seal,
      allow,
      canMail: () => true,
      trouble: () => trouble,
    },
    {
      origin: 'https://tilth.example',
      mail: () => mailSettings,
    },
  )
  onTestFinished(() => alerting.close())
  const alerts = alerting.services
  const { reports, contacts, links } = alerts
  const turn = { extend: async () => true }
  const run = async (name: string) => await present(alerting.jobs.find((job) => job.name === name)).run(turn)
  const deliver = () => run(alertJobs.deliveries)
  const beat = () => run(alertJobs.pulse)

  /** The engine's tables know the story by its number. */
  async function projectNumbered(id: number, zone: string) {
    for (let i = 1; i < id; i++) await product.projects.create({ name: `Other ${i}` }, operator())
    return requireDone(await product.projects.create({ name: 'Acme', timeZone: zone }, operator())).project
  }

  return {
    product,
    project,
    world,
    mail,
    alerts,
    links,
    seal,
    run,
    database: <Found>(work: (database: DatabaseSync) => Found) => {
      const database = new DatabaseSync(join(folder, 'store.db'))
      try {
        return work(database)
      } finally {
        database.close()
      }
    },
    reports,
    deliver,
    beat,
    aMember: (wanted: { name: string }) => memberHelpers(product).aMember({ ...wanted, project }),
    anAlert: async (wanted: object) =>
      requireDone(await alerts.create(project.id, { ...usual, ...wanted }, operator())).alert,
    look: async (id: string) => present(await alerts.find(project.id, id, operator())),
    engineIs: (state: 'away' | 'there') => (isAway = state === 'away'),
    collectionIs: (words: string | undefined) => (trouble = words),
    async check() {
      await run(alertJobs.checks)
      await deliver()
    },
    async writeReports() {
      await run(alertJobs.reports)
      await deliver()
    },
    async beatFor(minutes: number) {
      for (let i = 0; i < minutes; i++) {
        await beat()
        world.advance('1 minute')
      }
      await beat()
    },
    /** The button behind the link of a letter. */
    async press(letter: ReceivedLetter | undefined) {
      const [, token = ''] = /\/_tilth\/letters\/([\w.-]+)/.exec(decoded(letter)) ?? []
      await contacts.apply(present(await links.read(token)))
    },
  }
}

describe('secrets', () => {
  const stored = ({ database }: Stage) =>
    database((store) =>
      ['select recipients from alerts', 'select recipient from outgoing', 'select key from letter_keys']
        .flatMap((query) => store.prepare(query).all())
        .map((row) => JSON.stringify(row))
        .join('\n'),
    )
  const secretIn = ({ recipients }: { recipients: readonly Recipient[] }) =>
    recipients.flatMap((one) => (one.by === 'webhook' ? one.secret : []))[0] ?? ''

  test('of webhooks and letters are encrypted in the store', async () => {
    const stage = await setUp([...views('2026-03-01', 4)])
    const hook = await aHook()
    const alert = await stage.anAlert({ recipients: [{ by: 'webhook', url: hook.url }] })
    const link = await stage.links.linkFor({
      do: 'confirm',
      project: stage.project.id,
      address: 'eve@example.com',
    })
    await stage.alerts.test(stage.project.id, alert.id, operator())

    expect(secretIn(alert)).toMatch(/^whsec_/)
    expect(stored(stage)).not.toContain(secretIn(alert))
    expect(stored(stage).match(/sealed1/g)).toHaveLength(3)
    expect(await stage.links.read(link.split('/').at(-1) ?? '')).toMatchObject({ do: 'confirm' })
  })

  test('stored by an earlier version are encrypted, and go on being the same', async () => {
    const stage = await setUp([...views('2026-03-01', 4)])
    const hook = await aHook()
    const alert = await stage.anAlert({ recipients: [{ by: 'webhook', url: hook.url }] })
    const plain = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const recipients = JSON.stringify([{ by: 'webhook', url: hook.url, secret: plain }])
    stage.database((store) => store.prepare('update alerts set recipients = ?').run(recipients))
    expect(stored(stage)).toContain(plain)

    await stage.run(alertJobs.secrets)

    expect(stored(stage)).not.toContain(plain)
    expect(secretIn(await stage.look(alert.id))).toBe(plain)
  })

  test('encrypted with a key that is gone stop the webhook, and say why', async () => {
    const stage = await setUp([...views('2026-03-01', 4)])
    const hook = await aHook()
    const alert = await stage.anAlert({ recipients: [{ by: 'webhook', url: hook.url }] })
    const other = new Seal({ folder: aFolder(), world: stage.world })
    const secret = sealSecret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', hook.url, other)
    const recipients = JSON.stringify([{ by: 'webhook', url: hook.url, secret }])
    stage.database((store) => store.prepare('update alerts set recipients = ?').run(recipients))

    await stage.alerts.test(stage.project.id, alert.id, operator())
    await stage.deliver()

    expect(hook.calls).toEqual([])
    const { told: sendings } = requireDone(await stage.alerts.told(stage.project.id, alert.id, operator()))
    expect(sendings[0]).toMatchObject({ state: 'failed', outcome: expect.stringContaining('another key') })
  })
})

type Stage = Awaited<ReturnType<typeof setUp>>

/** The real one, which can be away. */
const switchable = (real: Engine, isAway: () => boolean): Engine =>
  new Proxy(real, {
    get(_, name: keyof Engine) {
      if (name === 'query' && isAway()) return refuses
      const part: unknown = real[name]
      return typeof part === 'function' ? part.bind(real) : part
    },
  })

const refuses = async () => {
  throw new EngineError('unavailable', 'The engine is being started again.')
}

function told({ to, raw }: ReceivedLetter): [string | undefined, string] {
  const [, subject = ''] = /^Subject: ((?:.*\r\n )*.*)\r$/m.exec(raw) ?? []
  const words = subject
    .replaceAll(/\r\n /g, ' ')
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/gi, (_, text: string) => quoted(text.replaceAll('_', ' ')))
  return [to[0], words]
}

/** Decodes both parts of a letter, as its reader has them. */
const decoded = (letter: ReceivedLetter | undefined): string =>
  quoted((letter?.raw ?? '').replaceAll('=\r\n', ''))

const quoted = (text: string): string =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()
