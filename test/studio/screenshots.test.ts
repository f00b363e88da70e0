import type { Page } from 'playwright-core'
import { expect, onTestFinished, test, type TestContext } from 'vitest'
import { studioPageScripts } from '../running/built-scripts'
import { aVisitor, openBrowser } from '../pages/browser'
import { aTilth } from '../start/tilth'
import { anEvent, send, untilStored } from './collecting'
import { type FixedClock, fixedClock } from './fixed-clock'
import { ownedEnvironment, secretKey, writeKey } from './owner'
import { accept, acceptedWith, differencesFrom, lookAt } from './page-screenshots'
import { askApi, signIn, type TestStudio, visit } from './studio'

/** The pages of a project by their routes, and what is looked at in the place of a parameter. */
const pages: Readonly<Record<string, string>> = {
  '': '',
  alerts: 'alerts',
  'alerts/new': 'alerts/new',
  'alerts/reports': 'alerts/reports',
  'alerts/reports/new': 'alerts/reports/new',
  connect: 'connect',
  'connect/agents': 'connect/agents',
  dashboards: 'dashboards',
  'dashboards/[dashboard]': 'dashboards/:dashboard',
  experiments: 'experiments',
  'experiments/[experiment]': 'experiments/:experiment',
  'experiments/[experiment]/explore': 'experiments/:experiment/explore',
  'experiments/[experiment]/exposures': 'experiments/:experiment/exposures',
  'experiments/[experiment]/notes': 'experiments/:experiment/notes',
  'experiments/[experiment]/plan': 'experiments/:experiment/plan',
  'experiments/[experiment]/settings': 'experiments/:experiment/settings',
  'experiments/[experiment]/web': 'experiments/:experiment/web',
  'experiments/new': 'experiments/new',
  'experiments/programme': 'experiments/programme',
  'experiments/saved-metrics': 'experiments/saved-metrics',
  flags: 'flags',
  'flags/environments': 'flags/environments',
  'flags/environments/compare': 'flags/environments/compare',
  'flags/explain': 'flags/explain',
  'flags/holdouts': 'flags/holdouts',
  'flags/[flag]': 'flags/checkout',
  'flags/[flag]/code': 'flags/checkout/code',
  'flags/[flag]/explain': 'flags/checkout/explain',
  'flags/[flag]/history': 'flags/checkout/history',
  'flags/[flag]/people': 'flags/checkout/people',
  'flags/[flag]/numbers': 'flags/checkout/numbers',
  'flags/new': 'flags/new',
  insights: 'insights',
  'insights/[insight]': 'insights/:insight',
  'insights/new': 'insights/new',
  live: 'live',
  people: 'people',
  'people/cohorts': 'people/cohorts',
  'people/cohorts/[cohort]': 'people/cohorts/:cohort',
  'people/cohorts/new': 'people/cohorts/new',
  'people/erasures': 'people/erasures',
  'people/groups': 'people/groups',
  'site/posts': 'site/posts',
  'site/posts/authors': 'site/posts/authors',
  'site/comments': 'site/comments',
  'site/posts/history/[...post]': 'site/posts/history/:post',
  'site/posts/images': 'site/posts/images',
  'site/newsletter': 'site/newsletter',
  'site/newsletter/lists/[list]': 'site/newsletter/lists/newsletter',
  'site/newsletter/new': 'site/newsletter/new',
  'site/posts/new': 'site/posts/new',
  site: 'site',
  'site/posts/[...post]': 'site/posts/:post',
  'site/design/redirects': 'site/design/redirects',
  'site/design': 'site/design',
  settings: 'settings',
  'settings/agents': 'settings/agents',
  'settings/analytics': 'settings/analytics',
  'settings/audit': 'settings/audit',
  'settings/collection': 'settings/collection',
  'settings/email': 'settings/email',
  'settings/events': 'settings/events',
  'settings/export': 'settings/export',
  'settings/import': 'settings/import',
  'settings/keys': 'settings/keys',
  'settings/members': 'settings/members',
  'settings/retention': 'settings/retention',
  sql: 'sql',
  surveys: 'surveys',
  'surveys/new': 'surveys/new',
  'surveys/[survey]': 'surveys/:survey',
  'surveys/[survey]/responses': 'surveys/:survey/responses',
  'surveys/[survey]/results': 'surveys/:survey/results',
  'surveys/[survey]/share': 'surveys/:survey/share',
  web: 'web',
  'web/goals': 'web/goals',
  'web/now': 'web/now',
  'web/robots': 'web/robots',
}

/** Pages of a project that no screenshot is taken of, and why. */
const withoutScreenshot: Readonly<Record<string, string>> = {
  '[...unknown]': 'It says that there is no such page.',
  'agents/proposals': 'It is a table, or says that there is none.',
  'agents/proposals/[proposal]': 'Its times differ in each run.',
  'alerts/[alert]': 'The page of a new alert has the same form.',
  'alerts/reports/[report]': 'The page of a new report has the same form.',
  'connect/first-visit': 'It shows the page of another site.',
  'experiments/[experiment]/exposures/people': 'A list of people as under people.',
  'people/[person]': 'Its ids and times differ in each run.',
  'people/behind': 'A list of people as under people.',
  'people/group': 'As the page of a person.',
  'site/newsletter/[letter]': 'Its times differ in each run.',
  'settings/system': 'It shows sizes and times of this machine.',
  'surveys/[survey]/response': 'Its ids and times differ in each run.',
  'web/rows': 'The table of a panel of web.',
}

const project = '/studio/(shell)/[project]'

test('every page of a project is looked at, or says why not', () => {
  const routes = studioPageScripts()
    .filter(({ page }) => page.startsWith(project))
    .map(({ page }) =>
      page
        .slice(project.length)
        .replaceAll(/\/\([^)]+\)/g, '')
        .replace(/\/?page$/, '')
        .slice(1),
    )
  expect(routes.toSorted()).toEqual([...Object.keys(pages), ...Object.keys(withoutScreenshot)].toSorted())
})

const isAccepting = process.env.SCREENSHOTS === 'accept'

test('every page looks as it was accepted, at three widths and in both themes', async (context: TestContext) => {
  const clock = fixedClock()
  if (!clock)
    context.skip('Pages show dates: their clock is set by Debian’s "faketime", which is not installed.')
  const { page, studio, version } = await openStudioAt(clock)
  if (!isAccepting && acceptedWith() !== version)
    context.skip(`The screenshots were accepted with Chromium ${acceptedWith()}; this is ${version}.`)

  const ids = await fill(studio, clock)
  const differing: string[] = []
  for (const [route, address] of Object.entries(pages)) {
    const path = address.replaceAll(/:(\w+)/g, (_, kind: string) => ids[kind] ?? kind)
    await visit(page, `/studio/acme/${path}`.replace(/\/$/, ''))
    await expect.poll(() => page.getByText('This page could not be found').count(), { message: path }).toBe(0)
    const name = route.replaceAll(/[^\w]+/g, '-').replaceAll(/^-|-$/g, '') || 'home'
    const seen = await lookAt(page)
    if (isAccepting) await accept(name, seen, version)
    else differing.push(...(await differencesFrom(name, seen)))
  }
  expect(differing, 'Look at test-results/screenshots. SCREENSHOTS=accept keeps them.').toEqual([])
})

type ScreenshotStudio = Pick<TestStudio, 'address' | 'slug' | 'writeKey' | 'secretKey'>

/** Tilth and a browser with the clock, and Ana signed in. */
async function openStudioAt({
  now,
  environment,
}: FixedClock): Promise<{ page: Page; studio: ScreenshotStudio; version: string }> {
  const browser = await openBrowser()
  onTestFinished(() => browser.close())
  const { address } = await aTilth({ ...ownedEnvironment, ...environment })
  const { page } = await aVisitor(browser, address)
  await page.clock.setFixedTime(now)
  await signIn(page)
  const [version = ''] = browser.version().split('.')
  return { page, studio: { address, slug: 'acme', writeKey, secretKey }, version }
}

/** The ids of what the pages with a parameter are about. */
type FilledIds = Record<string, string>

/** Makes one of each kind, always the same. */
async function fill(studio: ScreenshotStudio, clock: FixedClock): Promise<FilledIds> {
  const create = <Created>(path: string, body: unknown) =>
    askApi<Created>(studio, 'POST', `/projects/acme${path}`, body)
  await create('/flags', {
    key: 'checkout',
    kind: 'variants',
    variants: [
      { key: 'control', percentage: 50 },
      { key: 'test', percentage: 50 },
    ],
    environments: { production: { isOn: true, conditions: [{}] } },
  })
  await create('/flags', { key: 'dark-mode', kind: 'switch' })
  const insight = await create<{ id: string }>('/insights', {
    name: 'Orders by day',
    question: { kind: 'trend', series: [{ event: 'ordered' }] },
  })
  const dashboard = await create<{ id: string }>('/dashboards', { name: 'Growth' })
  const survey = await create<{ id: string }>('/surveys', {
    name: 'Recommendation',
    content: {
      questions: [
        { id: 'score', kind: 'rating', text: 'Would you recommend us?', display: 'number', scale: 10 },
        { id: 'why', kind: 'open', text: 'Why?' },
      ],
    },
  })
  const { cohort } = await create<{ cohort: { id: string } }>('/cohorts', {
    name: 'Power users',
    persons: [],
  })
  const post = await create<{ id: string }>('/posts', { title: 'How we rebuilt checkout' })
  const experiment = await create<{ id: string }>('/experiments', {
    name: 'New checkout',
    hypothesis: 'A shorter form brings more orders.',
    flag: 'checkout',
    metrics: [{ name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } }],
  })
  await collect(studio, clock)
  return {
    insight: insight.id,
    dashboard: dashboard.id,
    survey: survey.id,
    cohort: cohort.id,
    post: post.id,
    experiment: experiment.id,
  }
}

/** Ten visits an hour before noon on each of the last six days, which are in every usual date range. */
async function collect(studio: ScreenshotStudio, { now }: FixedClock): Promise<void> {
  const dayMs = 86_400_000
  const today = Math.floor(now / dayMs) * dayMs
  const addresses = ['/', '/pricing', '/docs']
  const events = Array.from({ length: 60 }, (_, number) => {
    const at = today - (1 + (number % 6)) * dayMs + 11 * 3_600_000 + number * 1000
    return {
      ...anEvent({
        event: number % 4 === 3 ? 'ordered' : '$pageview',
        distinct_id: `visitor-${number}`,
        properties: { $current_url: `https://shop.example.com${addresses[number % 3]}` },
      }),
      timestamp: new Date(at).toISOString(),
    }
  })
  expect(await send(studio, events)).toBe(200)
  const persons = async () => (await askApi<{ total: number }>(studio, 'GET', '/projects/acme/persons')).total
  await untilStored(studio, events.length)
  await expect.poll(persons).toBe(60)
}
