import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import type { IncomingEvent } from '#events/event'
import type { Flag } from '#flags/flag'
import { fromPosthog } from '#surveys/posthog/from-posthog'
import { sanitizeHtml } from '#surveys/sanitize-html'
import type { Survey } from '#surveys/survey'
import { openBrowser } from '../pages/browser'
import { aFlag, aVariant } from '../random-flags'
import { aSurvey } from '../some-survey'
import { key } from './posthog-fixture'
import { aWireServer, installedPage, installedScript, type WireServer } from './posthog-server'

/** The surveys and events of a recording were made with posthog-js against a server that gave the survey as it is. */
const folder = join(import.meta.dirname, '../recordings/posthog/surveys')
const recording = z.object({
  surveys: z.array(z.looseObject({ id: z.string(), schedule: z.string().nullish() })),
  events: z.array(z.object({ event: z.string(), properties: z.record(z.string(), z.unknown()) })),
})
const recorded = (name: string) =>
  recording.parse(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')))

const { result: matrix } = z
  .object({ result: z.object({ first: z.array(z.string()) }) })
  .parse(JSON.parse(readFileSync(join(folder, '90-eligibility-matrix.json'), 'utf8')))

/** Imports the surveys of a recording, as the API does. */
const surveysOf = (name: string): Survey[] =>
  recorded(name).surveys.map((given) => {
    const iterations =
      given.schedule === 'recurring' ? { iteration_count: 3, iteration_frequency_days: 1035 } : {}
    const read = fromPosthog({ ...given, ...iterations }, { sanitize: sanitizeHtml })
    if (!read.done) throw new Error(read.problems.map(({ message }) => message).join(' '))
    const { survey, startsAt } = read.value
    return aSurvey({ ...survey, hostedPage: aSurvey().hostedPage, id: given.id, startsAt })
  })

const versions = ['posthog-js', 'posthog-js-1.223', 'posthog-js-1.160'] as const
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
  for (const path of ['/', '/?q0=9&q1=1', '/next', '/pricing?x=1'])
    pages[path] = `${page}<div id="slot"></div>`
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  const tab = await context.newPage()
  const open = async (path = '/') => {
    await tab.goto(server.site + path)
    await tab.waitForFunction('window.posthog?.__loaded')
  }
  return { server, page: tab, box: tab.locator('.PostHogSurvey-s1'), open }
}

const surveyEvents = ({ wire }: WireServer): IncomingEvent[] =>
  wire.events().filter(({ name }) => name.startsWith('survey '))

/** What results are made of; ids of submissions are made by chance. Dates are compared as moments. */
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

/** The events as they were recorded arrive, in their order, and every one of them is stored. */
async function expectRecorded(server: WireServer, name: string): Promise<void> {
  const expected = recorded(name).events.map(({ event, properties }) => told(event, properties))
  await expect
    .poll(() => surveyEvents(server).map((event) => told(event.name, event.properties)), { timeout: 15_000 })
    .toEqual(expected)
  expect(server.wire.stored.filter((event) => event.name.startsWith('survey '))).toHaveLength(expected.length)
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

test.each(cases)(
  'posthog-js 1.434.18 does as in $recording',
  async ({ recording: name, act, ...options }) => {
    const visit = await aSurveyVisit(surveysOf(name), options)
    await act(visit)
    await expectRecorded(visit.server, name)
  },
)

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

/** posthog-js was given these as they are. We keep back what has not begun or asks nothing, and tell an end when it has come. */
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
    const [, sent] = server.wire.stored.filter((event) => event.name.startsWith('survey '))
    const answers = Object.entries(sent?.properties ?? {}).filter(([name]) =>
      name.startsWith('$survey_response'),
    )
    expect(answers.map(([, answer]) => answer)).toEqual(expect.arrayContaining(['6', 'slow']))
  },
)
