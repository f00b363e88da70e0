import { describe, expect, test, vi } from 'vitest'
import { openTestProduct, requireDone, problemMessages, present, testOrigin } from '#test/product/fixture'
import { AccessRefusedError, operator } from '#projects/access'
import type { OpenedShare } from './shares'

const viewer = operator()
const visitors = { kind: 'trend', series: [{ event: '$pageview' }] }

async function aShare(settings: object = {}) {
  const fixture = await openTestProduct()
  const project = await fixture.aProject()
  const { dashboards, shares } = fixture.product
  const cards = [{ content: { type: 'text', text: 'For you' } }]
  const { dashboard } = requireDone(await dashboards.create(1, { name: 'Growth', cards }, viewer))
  const subject = { kind: 'dashboard', id: dashboard.id }
  const { share, token } = requireDone(await shares.create(project.id, { subject, ...settings }, viewer))
  const anEditor = async (name: string) =>
    await fixture.signedIn(await fixture.aMember({ role: 'editor', name }))
  return { ...fixture, project, dashboard, shares, share, token, anEditor }
}

function opened(visited: OpenedShare) {
  if (visited.state !== 'open') throw new Error(`It is ${visited.state}.`)
  if (visited.shared.kind !== 'board') throw new Error('It is no board.')
  return visited.shared
}

function report(visited: OpenedShare) {
  if (visited.state !== 'open' || visited.shared.kind !== 'experiment') throw new Error('It is no report.')
  return visited.shared
}

describe('a share', () => {
  test('shows a dashboard to anyone who has its link', async () => {
    const { shares, token } = await aShare()
    const shared = opened(await shares.visit(token, undefined))

    expect(shared.name).toBe('Growth')
    expect(shared.cards.map(({ content }) => content)).toEqual([{ type: 'text', text: 'For you' }])
  })

  test('shows an insight alone, or how the website is doing', async () => {
    const { product, shares } = await aShare()
    const { insight } = requireDone(
      await product.insights.saved.create(1, { name: 'Visits', question: visitors }, viewer),
    )
    const one = requireDone(await shares.create(1, { subject: { kind: 'insight', id: insight.id } }, viewer))
    const web = requireDone(await shares.create(1, { subject: { kind: 'web' } }, viewer))

    expect(opened(await shares.visit(one.token, undefined))).toMatchObject({
      name: 'Visits',
      cards: [{ content: { type: 'insight', insight: insight.id } }],
    })
    expect(opened(await shares.visit(web.token, undefined)).cards.length).toBeGreaterThan(4)
  })

  test('asks the queries on it and no other', async () => {
    const { shares, token } = await aShare()
    const { ask } = opened(await shares.visit(token, undefined))
    const content = { type: 'question' as const, title: 'Secrets', question: visitors }

    expect(problemMessages(await ask({ id: 'mine', place: { x: 0, y: 0, w: 6, h: 5 }, content }))).toEqual([
      'There is no such card.',
    ])
  })

  test('is kept without what opens it', async () => {
    const { database, shares, dashboard, project, anEditor } = await aShare()
    const subject = { kind: 'dashboard', id: dashboard.id }
    const ana = await anEditor('Ana Berg')
    const { token } = requireDone(await shares.create(project.id, { subject, password: 'open sesame' }, ana))
    const kept = database((file) => JSON.stringify(file.prepare('select * from shares').all()))

    expect(kept).not.toContain(token)
    expect(kept).not.toContain('open sesame')
    expect(token).toMatch(/^[\dA-Za-z]{43}$/)
  })

  test('gives its link again to the member who made it, and to no one else', async () => {
    const { shares, dashboard, project, anEditor } = await aShare()
    const ana = await anEditor('Ana Berg')
    const ben = await anEditor('Ben Cole')
    const subject = { kind: 'dashboard', id: dashboard.id }
    const { share, token } = requireDone(await shares.create(project.id, { subject }, ana))

    expect(await shares.link(project.id, share.id, ana)).toMatchObject({ done: true, token })
    expect((await shares.list(project.id, ana)).map(({ canCopyLink }) => canCopyLink)).toContain(true)
    for (const other of [ben, viewer]) {
      expect(await shares.link(project.id, share.id, other)).toMatchObject({ done: false })
      const listed = await shares.list(project.id, other)
      expect(listed.every(({ canCopyLink }) => !canCopyLink)).toBe(true)
    }
    const renewed = requireDone(await shares.renew(project.id, share.id, ben))
    expect(await shares.link(project.id, share.id, ben)).toMatchObject({ token: renewed.token })
    expect(await shares.link(project.id, share.id, ana)).toMatchObject({ done: false })
  })

  test.each([
    ['another token', async () => 'x'.repeat(43)],
    ['no token', async () => ''],
    [
      'one that was revoked',
      async ({ shares, share, token }: Stage) => {
        requireDone(await shares.revoke(1, share.id, viewer))
        return token
      },
    ],
    [
      'one whose link was replaced',
      async ({ shares, share, token }: Stage) => {
        requireDone(await shares.renew(1, share.id, viewer))
        return token
      },
    ],
    [
      'one whose last day is over',
      async ({ shares, share, token, world }: Stage) => {
        requireDone(await shares.change(1, share.id, { lastDay: '2026-03-03' }, viewer))
        expect((await shares.visit(token, undefined)).state).toBe('open')
        world.advance('38 hours')
        return token
      },
    ],
    [
      'one of an archived dashboard',
      async ({ product, dashboard, token }: Stage) => {
        requireDone(await product.dashboards.archive(1, dashboard.id, viewer))
        return token
      },
    ],
    [
      'one of an archived project',
      async ({ product, token }: Stage) => {
        requireDone(await product.projects.archive(1, viewer))
        return token
      },
    ],
  ])('is not there for %s', async (_, tokenOf) => {
    const stage = await aShare()
    expect(await stage.shares.visit(await tokenOf(stage), undefined)).toEqual({ state: 'missing' })
  })

  test('with a new link is there for anyone with it', async () => {
    const { shares, share } = await aShare()
    const { token } = requireDone(await shares.renew(1, share.id, viewer))

    expect((await shares.visit(token, undefined)).state).toBe('open')
  })

  test.each([
    [{ mayChangePeriod: true }, '7d', '7d'],
    [{ mayChangePeriod: true }, 'for ever', undefined],
    [{ mayChangePeriod: false }, '7d', undefined],
  ])('with %j asked for %s is shown for %s', async (settings, period, shown) => {
    const { shares, token } = await aShare(settings)

    expect(opened(await shares.visit(token, undefined, period)).look.period).toBe(shown)
  })

  test.each([
    ['a.example', true],
    ['*.a.example', true],
    ['https://a.example:8443', true],
    ['localhost:3000', true],
    ['*', false],
    ['a.example; script-src *', false],
    ["'self'", false],
    ['https://a.example/path', false],
    ['a.example b.example', false],
    ['javascript:alert(1)', false],
  ])('framed by %j: %s', async (host, isAllowed) => {
    const { shares, share, token } = await aShare()
    const outcome = await shares.change(1, share.id, { frameHosts: [host] }, viewer)

    expect(outcome.done).toBe(isAllowed)
    expect(await shares.framedBy(token)).toEqual(["'self'", ...(isAllowed ? [host] : [])])
  })

  test('ends on no day that is over, and shares nothing that is not there', async () => {
    const { shares, share } = await aShare()

    expect(problemMessages(await shares.change(1, share.id, { lastDay: '2026-03-01' }, viewer))).toEqual([
      'Choose today or a later date.',
    ])
    expect(
      problemMessages(await shares.create(1, { subject: { kind: 'insight', id: 'none' } }, viewer)),
    ).toEqual(['There is nothing with that id to share in this project.'])
  })

  test('is in no other project', async () => {
    const { shares, share, aProject } = await aShare()
    const other = await aProject({ name: 'Other' })

    expect(await shares.list(other.id, viewer)).toEqual([])
    expect(problemMessages(await shares.revoke(other.id, share.id, viewer))).toEqual([
      'There is no such share in this project.',
    ])
  })
})

type Stage = Awaited<ReturnType<typeof aShare>>

describe('a share with a password', () => {
  test('is locked until it is given, and again when it is another', async () => {
    const { shares, share, token } = await aShare({ password: 'open sesame' })
    const locked = await shares.visit(token, undefined)
    const { proof } = requireDone(await shares.unlock(token, 'open sesame', testOrigin))
    const open = await shares.visit(token, proof)
    requireDone(await shares.change(1, share.id, { password: 'another word' }, viewer))

    expect([locked.state, open.state]).toEqual(['locked', 'open'])
    expect((await shares.visit(token, proof)).state).toBe('locked')
    expect((await shares.visit(token, 'x'.repeat(proof.length))).state).toBe('locked')
  })

  test('is open to everyone once it is taken away', async () => {
    const { shares, share, token } = await aShare({ password: 'open sesame' })
    const changed = requireDone(await shares.change(1, share.id, { password: null }, viewer))

    expect(changed.share.hasPassword).toBe(false)
    expect((await shares.visit(token, undefined)).state).toBe('open')
  })

  test('keeps it when something else is changed', async () => {
    const { shares, share, token } = await aShare({ password: 'open sesame' })
    requireDone(await shares.change(1, share.id, { mayChangePeriod: true }, viewer))

    expect((await shares.visit(token, undefined)).state).toBe('locked')
    expect(present((await shares.list(1, viewer))[0])).toMatchObject({
      hasPassword: true,
      mayChangePeriod: true,
    })
  })

  test('makes those who guess wait', async () => {
    const { shares, token } = await aShare({ password: 'open sesame' })
    for (let guess = 0; guess < 5; guess++)
      expect(problemMessages(await shares.unlock(token, `guess ${guess}`, testOrigin))).toEqual([
        'The password is wrong.',
      ])
    await shares.unlock(token, 'guess 6', testOrigin)

    expect(problemMessages(await shares.unlock(token, 'open sesame', testOrigin)).join()).toMatch(
      /^Too many wrong passwords/,
    )
    const elsewhere = { ...testOrigin, address: '198.51.100.0/24' }
    expect((await shares.unlock(token, 'open sesame', elsewhere)).done).toBe(true)
  })
})

describe('the report of an experiment', () => {
  const metrics = [{ name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } }]

  async function aSharedReport(settings: object = {}) {
    const { product, aProject, world, ...fixture } = await openTestProduct()
    const { id: project } = await aProject()
    const { flags, experiments, shares } = product
    const variants = [
      { key: 'control', percentage: 50 },
      { key: 'test', percentage: 50 },
    ]
    requireDone(await flags.create(project, { key: 'checkout', kind: 'variants', variants }, viewer))
    const draft = async (name: string) =>
      requireDone(await experiments.create(project, { name, flag: 'checkout', metrics }, viewer)).experiment
    const [experiment, other] = [await draft('Checkout'), await draft('Secret')]
    const subject = { kind: 'experiment', id: experiment.id }
    const made = await shares.create(project, { subject, ...settings }, viewer)
    return { ...fixture, product, world, shares, project, experiment, other, ...requireDone(made) }
  }

  test('shows that experiment to a visitor with its link, until it is revoked', async () => {
    const { shares, token, share, project, experiment } = await aSharedReport()
    const shown = report(await shares.visit(token, undefined))
    expect(shown).toMatchObject({ name: 'Checkout', experiment: { id: experiment.id } })
    expect(requireDone(await present(shown.result)()).result).toMatchObject({
      verdict: { sentence: 'The experiment has not started.' },
    })
    requireDone(await shares.revoke(project, share.id, viewer))
    expect(await shares.visit(token, undefined)).toEqual({ state: 'missing' })
  })

  test('reads no other experiment, and neither persons, insights nor flags', async () => {
    const { product, project, other, experiment } = await aSharedReport()
    const finding = vi.spyOn(product.experiments, 'find')
    const subject = { kind: 'experiment', id: experiment.id }
    const { token } = requireDone(await product.shares.create(project, { subject }, viewer))
    const visited = await product.shares.visit(token, undefined)
    expect(JSON.stringify(visited)).not.toContain(other.id)
    const reader = present(finding.mock.lastCall)[2]
    await expect(product.people.list(project, {}, reader)).rejects.toThrow(AccessRefusedError)
    await expect(product.insights.saved.list(project, {}, reader)).rejects.toThrow(AccessRefusedError)
    await expect(product.flags.list(project, reader)).rejects.toThrow(AccessRefusedError)
    await expect(product.experiments.results.people(project, experiment.id, {}, reader)).rejects.toThrow(
      AccessRefusedError,
    )
  })

  test('with a password only for those who know it, and until its last day', async () => {
    const { shares, token, world } = await aSharedReport({ password: 'open sesame', lastDay: '2026-03-03' })
    expect(await shares.visit(token, undefined)).toMatchObject({ state: 'locked' })
    const { proof } = requireDone(await shares.unlock(token, 'open sesame', testOrigin))
    expect(await shares.visit(token, proof)).toMatchObject({ state: 'open', shared: { name: 'Checkout' } })
    world.advance('38 hours')
    expect(await shares.visit(token, proof)).toEqual({ state: 'missing' })
  })

  test('is a card of a shared dashboard, and of no other card than those on it', async () => {
    const { product, project, experiment, other } = await aSharedReport()
    const cards = [{ content: { type: 'experiment' as const, experiment: experiment.id } }]
    const { dashboard } = requireDone(
      await product.dashboards.create(project, { name: 'Growth', cards }, viewer),
    )
    const subject = { kind: 'dashboard', id: dashboard.id }
    const { token } = requireDone(await product.shares.create(project, { subject }, viewer))
    const { ask } = opened(await product.shares.visit(token, undefined))
    const card = present(dashboard.cards[0])

    expect(requireDone(await ask(card))).toMatchObject({
      kind: 'experiment',
      title: 'Checkout',
      result: { sentence: 'The experiment has not started.' },
    })
    const forged = { ...card, content: { type: 'experiment' as const, experiment: other.id } }
    expect(requireDone(await ask(forged)).title).toBe('Checkout')
    expect(problemMessages(await ask({ ...forged, id: 'mine' }))).toEqual(['There is no such card.'])
    requireDone(await product.experiments.archive(project, experiment.id, viewer))
    expect(problemMessages(await ask(card))).toEqual([
      '“Checkout” is archived. Restore it, or remove the card.',
    ])
  })

  test('shows everything but notes and course until parts are chosen, also by a link of an earlier version', async () => {
    const { product, shares, token, share, project, experiment, database } = await aSharedReport()
    const change = { notes: 'Learned', recipients: [{ by: 'mail', address: 'ana@example.com' }] }
    requireDone(await product.experiments.change(project, experiment.id, change, viewer))
    const usual = { verdict: true, metrics: 'all', exposures: true, conclusion: true }
    expect(share.parts).toEqual({ ...usual, course: false, notes: false })
    database((file) => file.exec('update shares set parts = null'))
    const shown = report(await shares.visit(token, undefined))
    expect(shown).toMatchObject({ parts: share.parts, course: undefined })
    expect(shown.experiment).toMatchObject({ metrics: [{ name: 'Orders' }], notes: '', recipients: [] })
  })

  test('shows the chosen parts only, and asks for no result that none of them needs', async () => {
    const { product, shares, token, share, project, experiment } = await aSharedReport({
      parts: { notes: true, conclusion: false },
    })
    const more = [
      ...metrics,
      { name: 'Refunds', measured: { type: 'conversion', happening: { event: 'r' } } },
    ]
    const { experiment: changed } = requireDone(
      await product.experiments.change(project, experiment.id, { notes: 'Learned', metrics: more }, viewer),
    )
    requireDone(await product.flags.turn(project, 'checkout', { isOn: true }, viewer))
    requireDone(await product.experiments.start(project, experiment.id, {}, viewer))
    requireDone(await product.experiments.end(project, experiment.id, { note: 'Enough' }, viewer))
    const whole = report(await shares.visit(token, undefined))
    expect(whole.experiment).toMatchObject({ notes: 'Learned', conclusion: undefined })

    const refunds = present(changed.metrics[1]).id
    const parts = { metrics: [refunds], verdict: false, exposures: false, course: true, conclusion: true }
    requireDone(await shares.change(project, share.id, { parts }, viewer))
    const shown = report(await shares.visit(token, undefined))
    expect(shown.parts).toEqual({ ...parts, notes: true })
    expect(shown.experiment.metrics.map(({ name }) => name)).toEqual(['Refunds'])
    expect(shown.experiment.conclusion?.note).toBe('Enough')
    expect(shown.course).toBeDefined()
    expect(JSON.stringify(shown)).not.toContain('Orders')

    requireDone(await shares.change(project, share.id, { parts: { metrics: [] } }, viewer))
    const texts = report(await shares.visit(token, undefined))
    expect(texts).toMatchObject({ result: undefined, course: undefined, experiment: { metrics: [] } })
    // the change of another setting leaves the parts
    requireDone(await shares.change(project, share.id, { frameHosts: ['example.com'] }, viewer))
    expect(report(await shares.visit(token, undefined)).parts).toEqual(texts.parts)
  })

  test('has no part that is unknown, and nothing else has parts', async () => {
    const { product, shares, share, project } = await aSharedReport()
    const parts = { metrics: ['metric-9'] }
    const unknown = ['The experiment has no metric “metric-9”.']
    expect(problemMessages(await shares.change(project, share.id, { parts }, viewer))).toEqual(unknown)
    const { subject } = share
    expect(problemMessages(await shares.create(project, { subject, parts }, viewer))).toEqual(unknown)
    const web = { subject: { kind: 'web' }, parts: { verdict: false } }
    expect(problemMessages(await product.shares.create(project, web, viewer))).toEqual([
      'Only the report of an experiment has parts to choose.',
    ])
  })

  test('is gone while the experiment is archived', async () => {
    const { product, shares, token, project, experiment } = await aSharedReport()
    requireDone(await product.experiments.archive(project, experiment.id, viewer))
    expect(await shares.visit(token, undefined)).toEqual({ state: 'missing' })
  })

  test('is refused for what is not there, and has no date range', async () => {
    const { product, shares, share, project } = await aSharedReport()
    const { id: foreign } = requireDone(await product.projects.create({ name: 'Other' }, viewer)).project
    const elsewhere = await shares.create(foreign, { subject: share.subject }, viewer)
    expect(problemMessages(elsewhere)).toEqual(['There is nothing with that id to share in this project.'])
    const refused = ['An experiment has no date range to choose.']
    const ranged = { subject: share.subject, mayChangePeriod: true }
    expect(problemMessages(await shares.create(project, ranged, viewer))).toEqual(refused)
    expect(
      problemMessages(await shares.change(project, share.id, { mayChangePeriod: true }, viewer)),
    ).toEqual(refused)
  })

  test('is listed and recorded like every share', async () => {
    const { product, shares, share, project } = await aSharedReport({ frameHosts: ['example.com'] })
    expect(await shares.list(project, viewer)).toEqual([{ ...share, canCopyLink: false }])
    const [entry] = await product.projects.audit.list(project, { action: 'share.create' }, viewer)
    expect(entry).toMatchObject({ subject: 'Checkout' })
  })
})
