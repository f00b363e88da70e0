import { expect, test } from 'vitest'
import type { WeeklyFindings } from '#findings/finding'
import { reportLetter } from './report'

const urls = { origin: 'https://tilth.example', link: 'https://tilth.example/_tilth/letters/x' }

const weekly: WeeklyFindings = {
  week: '16 – 22 Nov 2026',
  findings: [
    {
      rule: 'unusual-number',
      urgency: 'decide',
      headline: [{ name: 'Sign-ups <b>' }, ' +36% against a usual week'],
      reason: '544 in the week of 16 – 22 Nov 2026; a usual week of the 8 compared has 360 to 440.',
      action: { label: 'See the week', path: 'web?period=2026-11-16..2026-11-22&goal=g1' },
    },
  ],
  none: 'Nothing unusual in the week of 16 – 22 Nov 2026',
  compared: '2 numbers compared with the 8 weeks before. Within the usual range: Visitors.',
}

const letterWith = (findings: WeeklyFindings | undefined) =>
  reportLetter(
    {
      kind: 'report',
      report: 'r1',
      name: 'Our week',
      project: { slug: 'acme', name: 'Acme', timeZone: 'UTC' },
      figures: {
        period: '16 Nov 2026 – 22 Nov 2026',
        before: 'the previous week',
        ...(findings && { findings }),
        figures: [{ label: 'Visitors', value: '400' }],
        lists: [],
        missing: [],
      },
    },
    urls,
  )

test('a weekly report begins with its findings, each with its reason and one link', () => {
  const { text, html } = letterWith(weekly)
  expect(text.split('\n\n').slice(1, 3)).toEqual([
    [
      'Sign-ups <b> +36% against a usual week',
      weekly.findings[0]?.reason,
      'See the week: https://tilth.example/studio/acme/web?period=2026-11-16..2026-11-22&goal=g1',
    ].join('\n'),
    'Visitors: 400',
  ])
  expect(html).toContain('<strong>Sign-ups &#60;b&#62;</strong> +36% against a usual week')
  expect(html).toContain(
    'href="https://tilth.example/studio/acme/web?period=2026-11-16..2026-11-22&#38;goal=g1"',
  )
  // the preview beside the subject is the first sentence
  expect(html).toMatch(/overflow:hidden">Sign-ups &#60;b&#62; \+36% against a usual week</)
  expect(html.indexOf('+36%', html.indexOf('<h1'))).toBeLessThan(html.indexOf('>Visitors<'))
})

test('a week without findings says that nothing was unusual', () => {
  const { text, html } = letterWith({ ...weekly, findings: [] })
  expect(text.split('\n\n')[1]).toBe(`${weekly.none}.\n${weekly.compared}`)
  expect(html).toContain('Nothing unusual in the week of 16 – 22 Nov 2026.')
})

test('a report of another rhythm begins with its figures', () => {
  const { text } = letterWith(undefined)
  expect(text.split('\n\n')[1]).toBe('Visitors: 400')
})
