import { describe, expect, test } from 'vitest'
import { openTestProduct, requireDone, type TestProduct, present } from '#test/product/fixture'
import { describeOnPostgres } from '#test/outside/postgres'
import type { MemberViewer } from '#projects/access'

interface SectionFixture extends TestProduct {
  id: number
  ana: MemberViewer
}

async function openSectionFixture(url?: string): Promise<SectionFixture> {
  const fixture = await openTestProduct({ url })
  const { id } = await fixture.aProject()
  const ana = await fixture.signedIn(await fixture.aMember({ role: 'owner', name: 'Ana' }))
  return { ...fixture, id, ana }
}

const signups = { kind: 'trend', series: [{ event: 'signup' }] }
const germans = { type: 'session', key: '$session_country', operator: 'exact', value: ['DE'] }
const eve = { by: 'mail', address: 'eve@example.com' }

/** Everything that a module stores is created, changed, listed and archived here, on both forms of the store. */
const sections: Record<string, (fixture: SectionFixture) => Promise<void>> = {
  async 'saved insights'({ product: { insights }, id, ana, world }) {
    const { saved: savedInsights } = insights
    const made = requireDone(
      await savedInsights.create(id, { name: 'Sign-ups', question: signups, tags: ['a'] }, ana),
    )
    const insight = made.insight.id
    world.advance('1 hour')
    requireDone(
      await savedInsights.change(id, insight, { folder: 'Growth', question: { kind: 'totals' } }, ana),
    )
    requireDone(await savedInsights.restoreVersion(id, insight, 1, ana))
    requireDone(await savedInsights.setFavourite(id, insight, true, ana))
    expect(requireDone(await savedInsights.list(id, { search: 'SIGN' }, ana)).insights).toMatchObject([
      { id: insight, folder: 'Growth', tags: ['a'], isFavourite: true, version: 3 },
    ])
    const copy = requireDone(await savedInsights.duplicate(id, insight, ana)).insight
    requireDone(await savedInsights.archive(id, copy.id, {}, ana))
    expect(requireDone(await savedInsights.list(id, {}, ana)).insights).toHaveLength(1)
    expect(requireDone(await savedInsights.versions(id, insight, ana)).versions).toHaveLength(3)
  },

  async 'dashboards and shares'({ product: { dashboards, shares }, id, ana }) {
    const words = { content: { type: 'text', text: '🌱 It’s "ours"' } }
    const { dashboard } = requireDone(await dashboards.create(id, { name: 'Growth', cards: [words] }, ana))
    requireDone(await dashboards.addCard(id, dashboard.id, words, ana))
    const { before } = requireDone(await dashboards.change(id, dashboard.id, { name: 'All of it' }, ana))
    requireDone(await dashboards.restoreVersion(id, dashboard.id, before, ana))
    requireDone(await dashboards.chooseHome(id, dashboard.id, ana))
    expect(await dashboards.home(id, ana)).toMatchObject({ name: 'All of it', cards: [words, words] })

    const subject = { kind: 'dashboard', id: dashboard.id }
    const link = requireDone(await shares.create(id, { subject, frameHosts: ['a.example'] }, ana))
    const renewed = requireDone(await shares.renew(id, link.share.id, ana))
    expect(await shares.framedBy(link.token)).toEqual([])
    expect(await shares.framedBy(renewed.token)).toContain('a.example')
    requireDone(await shares.revoke(id, link.share.id, ana))
    requireDone(await dashboards.archive(id, dashboard.id, ana))
  },

  async 'recipients of an experiment, and its shared parts'({
    product: { flags, experiments, shares },
    id,
    ana,
  }) {
    const variants = ['control', 'short'].map((key) => ({ key, percentage: 50 }))
    requireDone(await flags.create(id, { key: 'checkout', kind: 'variants', variants }, ana))
    const input = { name: 'Checkout', flag: 'checkout', recipients: [eve] }
    const { experiment } = requireDone(await experiments.create(id, input, ana))
    expect(await experiments.find(id, experiment.id, ana)).toMatchObject({ recipients: [eve] })

    const subject = { kind: 'experiment', id: experiment.id }
    const { share } = requireDone(await shares.create(id, { subject, parts: { notes: true } }, ana))
    requireDone(await shares.change(id, share.id, { parts: { metrics: [], course: true } }, ana))
    const parts = { ...share.parts, notes: true, metrics: [], course: true }
    expect(await shares.list(id, ana)).toMatchObject([{ parts }])
  },

  async 'notes, goals and segments'({ product: { insights }, id, ana }) {
    const { annotations, goals, segments } = insights
    const { annotation } = requireDone(
      await annotations.create(id, { at: '2026-03-01T10:00:00Z', text: 'Released' }, ana),
    )
    requireDone(await annotations.change(id, annotation.id, { text: 'Released 2' }, ana))
    expect(await annotations.list(id, ana)).toMatchObject([{ text: 'Released 2' }])
    requireDone(await annotations.remove(id, annotation.id, ana))

    const { goal } = requireDone(
      await goals.create(id, { name: 'Ordered', goal: { type: 'page', path: '/thanks' } }, ana),
    )
    requireDone(await goals.change(id, goal.id, { name: 'Paid' }, ana))
    const { segment } = requireDone(await segments.create(id, { name: 'Germans', filter: germans }, ana))
    requireDone(await segments.change(id, segment.id, { name: 'From Germany' }, ana))
    expect([await goals.list(id, ana), await segments.list(id, ana)]).toMatchObject([
      [{ name: 'Paid', goal: { type: 'page' } }],
      [{ name: 'From Germany', filter: germans }],
    ])
    requireDone(await goals.remove(id, goal.id, ana))
    requireDone(await segments.remove(id, segment.id, ana))
  },

  async cohorts({ product: { people }, id, ana }) {
    const { cohorts } = people
    const somebody = '00000000-0000-4000-8000-000000000001'
    const bought = { did: { event: 'buy' }, times: { at: 'least', count: 2 }, within: { days: 30 } }
    const { cohort } = requireDone(await cohorts.create(id, { name: 'Buyers', definition: bought }, ana))
    const picked = requireDone(await cohorts.create(id, { name: 'Friends', persons: [somebody] }, ana)).cohort
    requireDone(await cohorts.change(id, cohort.id, { name: 'Regulars' }, ana))
    expect((await cohorts.names(id, ana)).map(({ name }) => name).toSorted()).toEqual(['Friends', 'Regulars'])
    expect(await cohorts.membership(id)).toEqual(
      new Map<string, unknown>([
        [cohort.id, bought],
        [picked.id, [somebody]],
      ]),
    )
    requireDone(await cohorts.remove(id, picked.id, ana))
  },

  async 'alerts and reports'({ product: { alerts }, id, ana }) {
    const { reports } = alerts
    const watched = { type: 'event', event: '$pageview' }
    const quiet = { type: 'absence', minutes: 60 }
    const { alert } = requireDone(
      await alerts.create(id, { name: 'Quiet', watched, condition: quiet, recipients: [eve] }, ana),
    )
    requireDone(await alerts.change(id, alert.id, { name: 'Too quiet' }, ana))
    expect(await alerts.list(id, ana)).toMatchObject([{ name: 'Too quiet', condition: quiet }])
    expect(requireDone(await alerts.told(id, alert.id, ana)).told).toEqual([])
    requireDone(await alerts.remove(id, alert.id, ana))

    const { report } = requireDone(
      await reports.create(id, { name: 'Our week', about: { type: 'web' }, recipients: [eve] }, ana),
    )
    requireDone(await reports.change(id, report.id, { hour: 7 }, ana))
    expect(await reports.find(id, report.id, ana)).toMatchObject({ hour: 7, about: { type: 'web' } })
    requireDone(await reports.remove(id, report.id, ana))
  },

  async 'the audit log'({ product: { projects, insights }, id, ana }) {
    const { segments } = insights
    const { audit } = projects
    requireDone(await segments.create(id, { name: 'Germans', filter: germans }, ana))
    const [last] = await audit.list(id, {}, ana)
    expect(present(last)).toMatchObject({ action: 'segment.create', subject: 'Germans' })
  },
}

describe('in a file', () => {
  test.each(Object.keys(sections))('%s', async (name) => await sections[name]?.(await openSectionFixture()))
})

describeOnPostgres('what members keep', (emptyDatabase) => {
  test.each(Object.keys(sections))(
    '%s',
    async (name) => await sections[name]?.(await openSectionFixture(await emptyDatabase())),
  )
})
