import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import type { IncomingEvent } from '#events/event'
import type { Flag } from '#flags/flag'
import { everyKind } from '#test/product/every-survey-kind'
import { fromPosthog } from '#surveys/posthog/from-posthog'
import { sanitizeHtml } from '#surveys/sanitize-html'
import type { Survey } from '#surveys/survey'
import { openBrowser } from '../pages/browser'
import { aFlag, aVariant } from '../random/random-flags'
import { aSurvey } from '../product/some-survey'
import { key } from './posthog-fixture'
import { firstOfEach, sortedByTime } from './sorted-events'
import { aWireServer, installedPage, installedScript, type WireServer } from './posthog-server'
import { patienceMs } from '../running/patience'

/** The surveys and events of a recording were made with posthog-js against a server that gave the survey as it is. */
const folder = join(import.meta.dirname, '../recordings/posthog/surveys')
const aRecordedSurvey = z.looseObject({
  id: z.string(),
  schedule: z.string().nullish(),
  start_date: z.string().nullish(),
})
const recording = z.object({
  surveys: z.array(aRecordedSurvey),
  events: z.array(z.object({ event: z.string(), properties: z.record(z.string(), z.unknown()) })),
})
const recorded = (name: string) =>
  recording.parse(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')))

const { result: matrix } = z
  .object({ result: z.object({ first: z.array(z.string()) }) })
  .parse(JSON.parse(readFileSync(join(folder, '90-eligibility-matrix.json'), 'utf8')))

/** Imports the surveys of a recording, as the API does. */
const surveysOf = (name: string): Survey[] => importedFrom(recorded(name).surveys)

const importedFrom = (surveys: z.infer<typeof recording>['surveys']): Survey[] =>
  surveys.map((given) => {
    const iterations =
      given.schedule === 'recurring' ? { iteration_count: 3, iteration_frequency_days: 1035 } : {}
    const read = fromPosthog({ ...given, ...iterations }, { sanitize: sanitizeHtml })
    if (!read.done) throw new Error(read.problems.map(({ message }) => message).join(' '))
    const startsAt = given.start_date ? new Date(given.start_date) : undefined
    return aSurvey({ ...read.value.survey, hostedPage: aSurvey().hostedPage, id: given.id, startsAt })
  })

const versions = ['posthog-js', 'posthog-js-1.223', 'posthog-js-1.160', 'posthog-js-1.150'] as const
type Version = (typeof versions)[number]

let browser: Browser
const scripts: Record<string, string> = {}

beforeAll(async () => {
  const [opened, ...texts] = await Promise.all([
    openBrowser(),
    ...versions.map((name) => installedScript(name)),
  ])
  browser = opened
  for (const [index, name] of versions.entries()) scripts[`/${name}.js`] = texts[index] ?? ''
})
afterAll(() => browser?.close())

interface SurveyVisit {
  server: WireServer
  page: Page
  /** The box of the first survey. */
  box: Locator
  open: (path?: string) => Promise<void>
}

interface VisitOptions {
  flags?: readonly Flag[]
  version?: Version
  config?: object
  context?: BrowserContextOptions
}

/** A page of another origin with posthog-js on it, and a project with these surveys. */
async function aSurveyVisit(
  surveys: readonly Survey[],
  { version = 'posthog-js', config = {}, flags = [], context: options }: VisitOptions = {},
): Promise<SurveyVisit> {
  const pages: Record<string, string> = { ...scripts }
  const server = await aWireServer(pages, flags, surveys)
  const page = installedPage(key, server.address, config, `/${version}.js`)
  for (const path of ['/', '/?q0=9&q1=1', '/?q0=8&order_id=12345', '/next', '/pricing?x=1'])
    pages[path] = `${page}<div id="slot"></div>`
  const context = await browser.newContext(options)
  context.setDefaultTimeout(patienceMs)
  onTestFinished(() => context.close())
  const tab = await context.newPage()
  const open = async (path = '/') => {
    await tab.goto(server.site + path)
    await tab.waitForFunction('window.posthog?.__loaded')
  }
  return { server, page: tab, box: tab.locator('.PostHogSurvey-s1'), open }
}

const isOfSurvey = ({ name }: { name: string }) => name.startsWith('survey ')

const surveyEvents = ({ wire }: WireServer): IncomingEvent[] =>
  sortedByTime(firstOfEach(wire.events().filter(isOfSurvey)))

/** The properties that results are computed from; ids of submissions are random. Dates are compared as moments. */
const told = (name: string, properties: Readonly<Record<string, unknown>>) => [
  name,
  Object.fromEntries(
    Object.entries(properties).flatMap(([property, value]) => {
      if (
        !/^\$survey_(?:id$|response|completed|partially|language|iteration)/.test(property) ||
        value === null
      )
        return []
      return [[property, property.endsWith('_start_date') ? z.coerce.date().parse(value).getTime() : value]]
    }),
  ),
]

/** The events arrive as they were recorded, and every one of them is stored. */
async function expectRecorded(server: WireServer, name: string): Promise<void> {
  const expected = recorded(name).events.map(({ event, properties }) => told(event, properties))
  await expect
    .poll(() => surveyEvents(server).map((event) => told(event.name, event.properties)))
    .toEqual(expected)
  expect(firstOfEach(server.wire.stored.filter(isOfSurvey))).toHaveLength(expected.length)
}

const surveysLoaded = (page: Page) =>
  page.evaluate(`new Promise((loaded) => posthog.onSurveysLoaded(() => loaded(true)))`)

/** The client shows surveys once a second, so an event after that shows that it has looked. */
async function expectNoSurvey({ server, page }: SurveyVisit): Promise<void> {
  await page.clock.runFor(3000)
  await page.evaluate(`posthog.capture('marker')`)
  await expect.poll(() => server.wire.events().map(({ name }) => name)).toContain('marker')
  expect(surveyEvents(server)).toEqual([])
}

const submit = (box: Locator) => box.locator('.form-submit').click()

async function rate(box: Locator, value: number): Promise<void> {
  await box.locator('.ratings-number', { hasText: new RegExp(`^${value}$`) }).click()
  await submit(box)
}

async function choose(box: Locator, ...texts: string[]): Promise<void> {
  for (const text of texts) await box.getByText(text, { exact: true }).click()
  await submit(box)
}

async function write(box: Locator, text: string): Promise<void> {
  await box.locator('textarea').fill(text)
  await submit(box)
}

interface SurveyCase extends VisitOptions {
  recording: string
  act: (visit: SurveyVisit) => Promise<void>
}

const cases: readonly SurveyCase[] = [
  {
    recording: '80-all-question-kinds',
    async act({ box, open, page }) {
      await open()
      await box.getByText('Begin').click()
      await rate(box, 0)
      await box.locator('.ratings-emoji').nth(4).click()
      await submit(box)
      await box.locator('.ratings-emoji').first().click()
      await rate(box, 7)
      await box.locator('.ratings-emoji').nth(1).click()
      await submit(box)
      await write(box, '  abc ')
      await submit(box)
      await box
        .locator('.choice-option-open input[type=text], .choice-option-open input:not([type])')
        .fill('mine')
      await submit(box)
      await choose(box, 'Y', 'X')
      await Promise.all([page.waitForEvent('popup'), submit(box)])
    },
  },
  {
    recording: '81-branch-rating',
    async act({ box, open }) {
      await open()
      await rate(box, 6)
      await write(box, 'slow')
    },
  },
  {
    recording: '82-branch-choice-open',
    async act({ box, open, page }) {
      await open()
      await box.locator('.choice-option-open input[type=text]').fill('free')
      await submit(box)
      await write(box, 't1')
      await rate(box, 3)
      await box.getByText('Why?').waitFor()
      await page.goto('about:blank')
    },
  },
  {
    // a loop that PostHog allows, and Tilth's builder and API refuse
    recording: '83-branch-loop',
    async act({ server, box, open, page }) {
      await open()
      for (const round of [1, 2, 3]) {
        await choose(box, 'A')
        await expect.poll(() => surveyEvents(server)).toHaveLength(round + 1)
      }
      await page.goto('about:blank')
    },
  },
  ...(['1.150', '1.223'] as const).map((version): SurveyCase => ({
    recording: `old-posthog-js-${version}${version === '1.150' ? '.0' : '.5'}-survey`,
    version: `posthog-js-${version}`,
    async act({ open, page }) {
      // an app that brings the file of its own version along; from Tilth, every version gets that of today
      const path = join(import.meta.dirname, `../../node_modules/posthog-js-${version}/dist/surveys.js`)
      const headers = { 'access-control-allow-origin': '*', 'content-type': 'text/javascript' }
      await page.route(/\/static\/.*surveys\.js/, (route) => route.fulfill({ path, headers }))
      const box = page.locator('.PostHogSurveys1, .PostHogSurvey-s1')
      await open()
      await rate(box, 9)
      await choose(box, 'X')
      await write(box, 'txt')
    },
  })),
  {
    recording: '84-partial',
    async act({ box, open, server }) {
      await open()
      await rate(box, 9)
      await expect.poll(() => surveyEvents(server)).toHaveLength(2)
      await open()
      await choose(box, 'B')
      await write(box, 'end')
    },
  },
  {
    recording: '85-dismiss-midway',
    async act({ box, open }) {
      await open()
      await rate(box, 2)
      await box.locator('.form-cancel').click()
    },
  },
  {
    recording: '87-abandon',
    async act({ box, open, page }) {
      await open()
      await rate(box, 2)
      await expect.poll(() => box.locator('textarea').count()).toBe(1)
      await page.goto('about:blank')
    },
  },
  {
    recording: '88-event-trigger',
    async act({ page, open, box }) {
      await page.clock.install()
      await open()
      await surveysLoaded(page)
      const capture = (event: string, properties = {}) =>
        page.evaluate(`posthog.capture('${event}', ${JSON.stringify(properties)})`)
      await capture('open cart')
      await capture('paid')
      await capture('upgrade', { plan: 'free', amount: 11 })
      await page.clock.runFor(5000)
      expect(await page.locator('.ph-survey').count()).toBe(0)
      await capture('upgrade', { plan: 'pro', amount: 11 })
      await rate(box, 9)
      await box.getByText('Close', { exact: true }).click()
      await expect.poll(() => page.locator('.ph-survey').count()).toBe(0)
      await capture('upgrade', { plan: 'pro', amount: 12 })
      await box.getByText('NPS?').waitFor()
      await box.locator('.form-cancel').click()
    },
  },
  {
    recording: '89-action-trigger',
    async act({ page, open, box }) {
      await open()
      await page.waitForFunction('posthog.autocapture?.isEnabled && posthog.surveys?._surveyManager')
      expect(await box.count()).toBe(0)
      await page.click('#buy')
      await box.locator('.survey-box, form').first().waitFor()
    },
  },
  {
    recording: '91-widget-tab',
    async act({ page, open, box }) {
      await open()
      await page.locator('.ph-survey-widget-tab').click()
      await write(box, 'hey')
    },
  },
  {
    recording: '92-widget-selector',
    async act({ page, open, box }) {
      await open()
      await page.locator('#buy[phwidgetsurveyclicklistener]').click()
      await write(box, 'hey')
    },
  },
  {
    recording: '94-inline',
    async act({ page, open }) {
      await open()
      await page.evaluate(`posthog.onSurveysLoaded(() => posthog.renderSurvey('s1', '#slot'))`)
      await rate(page.locator('#slot'), 9)
    },
  },
  {
    recording: '95-translations',
    context: { locale: 'de-AT' },
    async act({ open, box }) {
      await open()
      await choose(box, 'Beh')
      await rate(box, 9)
      await box.getByText('Danke').waitFor()
    },
  },
  {
    recording: '96-iteration',
    async act({ open, box }) {
      await open()
      await rate(box, 8)
    },
  },
  {
    recording: '97-prefill-url',
    config: { surveys: { prefillFromUrl: true } },
    async act({ page, open }) {
      await open('/?q0=9&q1=1')
      await page.evaluate(`posthog.onSurveysLoaded(() => posthog.renderSurvey('s1', '#slot'))`)
      await write(page.locator('#slot'), 'more')
    },
  },
  {
    recording: '98-shuffle',
    async act({ open, box }) {
      await open()
      const questions = {
        'NPS?': () => rate(box, 5),
        One: () => choose(box, 'B'),
        Many: () => choose(box, 'Else'),
      }
      for (const _ of Object.keys(questions)) {
        const text = await box.locator('.survey-question').textContent()
        await questions[z.enum(['NPS?', 'One', 'Many']).parse(text?.trim())]()
        await expect.poll(() => box.locator('.survey-question').allTextContents()).not.toContain(text)
      }
    },
  },
  {
    recording: 'A0-display-initial',
    async act({ page, open, box }) {
      await open()
      await surveysLoaded(page)
      await page.evaluate(
        `posthog.displaySurvey('s1', { displayType: 'popover', ignoreConditions: true, initialResponses: { 0: 1 } })`,
      )
      await write(box, 'ok')
    },
  },
  {
    recording: 'A2-flags-reload-after-sent',
    async act({ server, open, box }) {
      await open()
      await box.locator('.survey-question').waitFor()
      const flagRequests = () => server.requestLines.filter((line) => line.includes('/flags')).length
      const before = flagRequests()
      await rate(box, 9)
      await expect.poll(flagRequests).toBeGreaterThan(before)
    },
  },
  {
    recording: 'A4-hosted-page',
    config: {
      disable_surveys_automatic_display: true,
      advanced_disable_flags: true,
      advanced_enable_surveys: true,
      surveys: { prefillFromUrl: true },
      bootstrap: { distinctID: 'user123' },
    },
    async act({ server, page, open }) {
      await open('/?q0=8&order_id=12345')
      await page.waitForFunction('posthog.surveys?._surveyManager')
      const [asked] = recorded('A8-popover-ignores-url-prefill').surveys
      const survey = { ...asked, type: 'external_survey', enable_partial_responses: true }
      await page.evaluate(
        `posthog.surveys._surveyManager.renderSurvey(${JSON.stringify(survey)}, document.querySelector('#slot'), { order_id: 12345 })`,
      )
      await write(page.locator('#slot'), 'great')
      await expect.poll(() => surveyEvents(server)).toHaveLength(3)
      const sent = surveyEvents(server).filter(({ name }) => name === 'survey sent')
      expect(sent.map(({ distinctId, properties }) => [distinctId, properties['order_id']])).toEqual([
        ['user123', 12345],
        ['user123', 12345],
      ])
    },
  },
  {
    recording: 'A5-two-popovers-and-always',
    async act({ page, open, box }) {
      await open()
      const once = page.locator('.PostHogSurvey-s2')
      await once.locator('.form-cancel').waitFor()
      expect(await box.count()).toBe(0)
      await once.locator('.form-cancel').click()
      await box.locator('.survey-question').waitFor()
    },
  },
  {
    recording: 'A6-delay-navigate',
    async act({ server, page, open, box }) {
      await page.clock.install()
      await open()
      await surveysLoaded(page)
      await page.evaluate(`posthog.capture('go')`)
      await page.clock.runFor(3000)
      await open('/next')
      await surveysLoaded(page)
      await page.clock.runFor(6000)
      await box.locator('.survey-question').waitFor()
      const timeOf = (name: string) =>
        server.wire
          .events()
          .find((event) => event.name === name)
          ?.timestamp?.getTime() ?? Number.NaN
      // not before its delay is over, which began on the page before
      await expect.poll(() => timeOf('survey shown') - timeOf('go')).toBeGreaterThanOrEqual(6000)
    },
  },
  {
    recording: 'A8-popover-ignores-url-prefill',
    config: { surveys: { prefillFromUrl: true } },
    async act({ open, box }) {
      await open('/?q0=9&q1=1')
      await box.getByText('NPS?').waitFor()
    },
  },
  {
    recording: '99-html-description',
    async act({ page, open, box }) {
      await open()
      await box.getByText('it', { exact: true }).waitFor()
      await rate(box, 9)
      await submit(box)
      await box.getByText('bold').waitFor()
      expect(await page.evaluate('[window.__x, window.__y]')).toEqual([undefined, undefined])
    },
  },
]

test.each(cases)('posthog-js does as in $recording', async ({ recording: name, act, ...options }) => {
  const visit = await aSurveyVisit(surveysOf(name), options)
  await act(visit)
  await expectRecorded(visit.server, name)
})

test('a survey that was closed stays away on the next page', async () => {
  const { server, open, box, page } = await aSurveyVisit(surveysOf('86-dismiss-untouched'))
  await open()
  await box.locator('.form-cancel').click()
  await expectRecorded(server, '86-dismiss-untouched')
  await open('/next')
  await page.waitForFunction(
    `new Promise((loaded) => posthog.getActiveMatchingSurveys((found) => loaded(true), true))`,
  )
  expect(await page.evaluate(`new Promise((found) => posthog.getActiveMatchingSurveys(found))`)).toEqual([])
})

test.each([
  // PostHog's form has no ranking, so this one was made here
  ['A9-unknown-question-kind', everyKind.filter(({ kind }) => kind === 'rating' || kind === 'ranking')],
  ['B0-empty-survey', []],
])('a survey as in %s, at which posthog-js draws an empty box, is not sent to it', async (_, questions) => {
  const [survey] = surveysOf('81-branch-rating')
  const visit = await aSurveyVisit(survey ? [{ ...survey, content: { ...survey.content, questions } }] : [])
  await visit.page.clock.install()
  await visit.open()
  const list = await fetch(`${visit.server.address}/api/surveys/?token=${key}`)
  expect(await list.json()).toMatchObject({ surveys: [] })
  await expectNoSurvey(visit)
})

test('a survey that is displayed on an address it is not for is not counted as shown, as in A7', async () => {
  const visit = await aSurveyVisit(surveysOf('A7-display-url-mismatch'))
  await visit.page.clock.install()
  await visit.open()
  await surveysLoaded(visit.page)
  await visit.page.evaluate(`posthog.displaySurvey('s1', { displayType: 'popover', ignoreConditions: true })`)
  await visit.box.getByText('NPS?').waitFor()
  await expectNoSurvey(visit)
})

test('a page whose list of surveys fails, as in A1, goes on without them', async () => {
  const visit = await aSurveyVisit(surveysOf('81-branch-rating'))
  const errors: string[] = []
  visit.page.on('pageerror', ({ message }) => errors.push(message))
  await visit.page.route('**/api/surveys/**', (route) => route.fulfill({ status: 500 }))
  await visit.page.clock.install()
  await visit.open()
  await expectNoSurvey(visit)
  expect(errors).toEqual([])
})

test('a survey with a page of its own alone is not drawn in a page that asks for it by its id, as in A3', async () => {
  const visit = await aSurveyVisit(surveysOf('A3-array-form-and-advanced-enable'), {
    config: { advanced_enable_surveys: true },
  })
  const { page } = visit
  await page.clock.install()
  await visit.open()
  await surveysLoaded(page)
  expect(await page.evaluate(`new Promise((found) => posthog.getSurveys(found, true))`)).toEqual([])
  await page.evaluate(`posthog.renderSurvey('s1', '#slot')`)
  await expectNoSurvey(visit)
  expect(await page.locator('#slot').innerHTML()).toBe('')
})

test('the app draws an API survey itself', async () => {
  const { server, open, page, box } = await aSurveyVisit(surveysOf('93-api-type'))
  await open()
  const found = await page.evaluate(`new Promise((found) => posthog.getActiveMatchingSurveys(found, true))`)
  expect(found).toMatchObject([{ id: 's1', type: 'api', questions: [{ id: 'q-nps' }] }])
  expect(await box.count()).toBe(0)
  await page.evaluate(`posthog.capture('survey shown', { $survey_id: 's1', $survey_name: 'S1' })`)
  await page.evaluate(
    `posthog.capture('survey sent', { $survey_id: 's1', $survey_name: 'S1', '$survey_response_q-nps': 9 })`,
  )
  await expectRecorded(server, '93-api-type')
})

/** posthog-js got these as they are. We keep back surveys that have not begun or ask nothing, and tell past ends. */
const keptBack = ['startfuture', 'empty-questions']
/** The last one has a flag of PostHog's own, which an import replaces by one of ours. */
const shownToo = ['ended', 'int-off']

test('of 37 surveys with conditions, those are shown that the recording names', async () => {
  const flags = [aFlag({ key: 'f-on' }), aFlag({ key: 'f-v', variants: [aVariant('v1', 100)] })]
  const { open, page, server } = await aSurveyVisit(surveysOf('90-eligibility-matrix'), { flags })
  await open('/pricing?x=1')
  await page.waitForFunction(`posthog.getFeatureFlag('f-v') === 'v1'`)
  const matching = await page.evaluate(
    `new Promise((found) => posthog.getActiveMatchingSurveys(found, true))`,
  )
  const ids = z
    .array(z.looseObject({ id: z.string() }))
    .parse(matching)
    .map(({ id }) => id)
  const wanted = matrix.first.filter((id) => !keptBack.includes(id))
  expect(ids.toSorted()).toEqual([...wanted, ...shownToo].toSorted())
  expect(server.requestLines.filter((line) => line.includes('/api/surveys/')).length).toBeLessThanOrEqual(2)
})

test.each(versions)(
  '%s asks, branches past a question and sends, with answers that the product understands',
  async (version) => {
    const { server, open, box } = await aSurveyVisit(surveysOf('81-branch-rating'), { version })
    await open()
    await rate(box, 6)
    await write(box, 'slow')
    await expect
      .poll(() => surveyEvents(server).map(({ name }) => name))
      .toEqual(['survey shown', 'survey sent'])
    const sent = server.wire.stored.find(({ name }) => name === 'survey sent')
    const answers = Object.entries(sent?.properties ?? {}).filter(([name]) =>
      name.startsWith('$survey_response'),
    )
    expect(answers.map(([, answer]) => answer)).toEqual(expect.arrayContaining(['6', 'slow']))
  },
)

/** A question of each kind that all of these versions draw. */
const kindsOfAll = {
  id: 's1',
  name: 'S1',
  type: 'popover',
  start_date: '2024-01-01T00:00:00Z',
  schedule: 'once',
  appearance: { displayThankYouMessage: true, thankYouMessageHeader: 'Thanks' },
  questions: [
    { id: 'n', type: 'rating', display: 'number', scale: 5, question: 'Stars?' },
    { id: 'e', type: 'rating', display: 'emoji', scale: 3, question: 'Mood?' },
    { id: 's', type: 'single_choice', question: 'One', choices: ['A', 'B'] },
    { id: 'm', type: 'multiple_choice', question: 'Many', choices: ['X', 'Y', 'Z'] },
    { id: 'o', type: 'open', question: 'Why?' },
    { id: 'l', type: 'link', question: 'More?', link: 'https://example.com/', buttonText: 'Read' },
  ],
}

const ofNextPage = {
  ...kindsOfAll,
  id: 's2',
  name: 'S2',
  conditions: { url: '/next' },
  questions: [{ id: 'o', type: 'open', question: 'Next?' }],
}

test.each(versions)('%s asks all kinds of questions it knows, once', async (version) => {
  const visit = await aSurveyVisit(importedFrom([kindsOfAll, ofNextPage]), { version })
  const { server, open, box, page } = visit
  await open()
  await rate(box, 4)
  await box.locator('.ratings-emoji').nth(2).click()
  await submit(box)
  await choose(box, 'B')
  await choose(box, 'X', 'Z')
  await write(box, 'text')
  await page.context().route('https://example.com/', (route) => route.fulfill({ body: 'Read' }))
  await submit(box)
  // each is a request of its own, and one may overtake the other
  await expect
    .poll(() =>
      surveyEvents(server)
        .map(({ name }) => name)
        .toSorted(),
    )
    .toEqual(['survey sent', 'survey shown'])
  const sent = surveyEvents(server).find(({ name }) => name === 'survey sent')
  const answers = Object.entries(sent?.properties ?? {}).filter(([name]) =>
    name.startsWith('$survey_response'),
  )
  const values = answers.map(([, answer]) => (typeof answer === 'number' ? String(answer) : answer))
  expect(values).toEqual(
    expect.arrayContaining(['4', '3', 'B', ['X', 'Z'], 'text', expect.stringMatching(/^link clicked$/)]),
  )
  await expectStaysAway(visit)
})

test.each(versions)('%s dismisses a survey for good', async (version) => {
  const visit = await aSurveyVisit(importedFrom([kindsOfAll, ofNextPage]), { version })
  const { server, open, box } = visit
  await open()
  await box.locator('.form-cancel').click()
  await expect
    .poll(() => surveyEvents(server).map(({ name }) => name))
    .toEqual(['survey shown', 'survey dismissed'])
  await expectStaysAway(visit)
})

/** The survey of that page alone is shown, which comes after the other. */
async function expectStaysAway({ open, page, box }: SurveyVisit): Promise<void> {
  await open('/next')
  await page.locator('.PostHogSurvey-s2').getByText('Next?').waitFor()
  expect(await box.getByText('Stars?').count()).toBe(0)
}

const byEvery = (display: object, questions = [{ id: 'o', type: 'open', question: 'Why?' }]) => ({
  ...kindsOfAll,
  questions,
  ...display,
})

test.each(versions)('%s shows a survey from a tab of its own', async (version) => {
  const tab = {
    type: 'widget',
    appearance: { widgetType: 'tab', widgetLabel: 'Feedback', widgetColor: '#123456' },
  }
  const { server, open, box, page } = await aSurveyVisit(importedFrom([byEvery(tab)]), { version })
  await open()
  await page.locator('.ph-survey-widget-tab').click()
  await write(box, 'text')
  await expectSent(server, ['text'])
})

test.each(versions)('%s shows a survey from an element of the page', async (version) => {
  const element = { type: 'widget', appearance: { widgetType: 'selector', widgetSelector: '#buy' } }
  const { server, open, box, page } = await aSurveyVisit(importedFrom([byEvery(element)]), { version })
  await open()
  // each version marks the element in its own way once it listens to it
  await expect
    .poll(async () => {
      await page.locator('#buy').click()
      return box.locator('textarea').count()
    })
    .toBe(1)
  await write(box, 'text')
  await expectSent(server, ['text'])
})

test.each(versions)('%s gives an API survey to the app', async (version) => {
  const { server, open, box, page } = await aSurveyVisit(importedFrom([byEvery({ type: 'api' })]), {
    version,
  })
  await open()
  const found = await page.evaluate(`new Promise((found) => posthog.getActiveMatchingSurveys(found, true))`)
  expect(found).toMatchObject([{ id: 's1', type: 'api', questions: [{ question: 'Why?' }] }])
  expect(await box.count()).toBe(0)
  await page.evaluate(`posthog.capture('survey sent', { $survey_id: 's1', $survey_response: 'text' })`)
  await expectSent(server, ['text'])
})

test.each(versions)('%s asks on every scale, and takes a text as a choice', async (version) => {
  const questions = [
    { id: 'n', type: 'rating', display: 'number', scale: 10, question: 'NPS?' },
    { id: 's', type: 'rating', display: 'number', scale: 7, question: 'Effort?' },
    { id: 'e', type: 'rating', display: 'emoji', scale: 5, question: 'Mood?' },
    { id: 'c', type: 'single_choice', question: 'One', choices: ['A', 'Else'], hasOpenChoice: true },
    { id: 'm', type: 'multiple_choice', question: 'Many', choices: ['X', 'Else'], hasOpenChoice: true },
    { id: 'o', type: 'open', question: 'Why?', optional: true },
  ]
  const { server, open, box } = await aSurveyVisit(importedFrom([byEvery({}, questions)]), { version })
  await open()
  await rate(box, 0)
  await box.getByText('Effort?').waitFor()
  await rate(box, 7)
  await box.getByText('Mood?').waitFor()
  await box.locator('.ratings-emoji').nth(4).click()
  await submit(box)
  for (const [question, text] of [
    ['One', 'mine'],
    ['Many', 'ours'],
  ] as const) {
    await box.getByText(question, { exact: true }).waitFor()
    await box.getByText('Else').click()
    await box.locator('.choice-option-open').locator('input[type=text], input:not([type])').fill(text)
    await submit(box)
  }
  await submit(box)
  await expectSent(server, ['0', '7', '5', 'mine', ['ours']])
})

test.each(versions)('%s shows a survey again after every event that repeats it', async (version) => {
  const conditions = { events: { repeatedActivation: true, values: [{ name: 'upgrade' }] } }
  const { server, open, box, page } = await aSurveyVisit(importedFrom([byEvery({ conditions })]), { version })
  await open()
  for (const text of ['first', 'second']) {
    // an event before the client has the list of surveys triggers none
    await expect
      .poll(async () => {
        await page.evaluate(`posthog.capture('upgrade')`)
        return box.locator('textarea').count()
      })
      .toBe(1)
    await write(box, text)
    await box.getByText('Thanks').waitFor()
    await box.locator('.form-cancel, .form-submit').first().click()
    await expect.poll(() => box.locator('.survey-box, form').count()).toBe(0)
  }
  await expectSent(server, ['first', 'second'])
})

/** The answers of what was sent, by value: numbers are texts in old versions. */
async function expectSent(server: WireServer, expected: unknown[]): Promise<void> {
  await expect
    .poll(() =>
      surveyEvents(server)
        .filter(({ name }) => name === 'survey sent')
        .flatMap(({ properties }) =>
          Object.entries(properties).flatMap(([name, answer]) =>
            name.startsWith('$survey_response') ? [typeof answer === 'number' ? String(answer) : answer] : [],
          ),
        ),
    )
    .toEqual(expect.arrayContaining(expected))
}
