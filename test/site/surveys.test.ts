import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { hashPassword } from '#projects/passwords'
import { watchBody } from '#http/body'
import { usualLimits } from '#http/limits'
import { openRateLimiter } from '#world/rate-limiter'
import { readTrustedRequest } from '#http/trusted-request'
import { answerSurveyPage } from '#site-serving/survey-pages'
import { contentWith, everyKind, publicSurveyWith } from '#test/product/every-survey-kind'
import { questionHtml } from '#surveys/run/survey-html'
import { beginSession } from '#surveys/run/session'
import { surveyHtml } from '#surveys/run/survey-html'
import { wordsFor } from '#surveys/run/words'
import type { SurveyQuestion } from '#surveys/question'
import type { Survey, SurveyAppearance } from '#surveys/survey'
import { realWorld } from '#world/world'
import { accessibilityViolations, horizontalOverflow } from '../studio/studio'
import { testSurvey, testSurveyAnswers } from '../surveys/test-survey-answers'
import { testProject } from '../wire/trackers-fixture'
import { aVisitor, openBrowser, openTestSite, type TestSite } from './site-fixture'

let browser: Browser
let site: TestSite
let surveys: Survey[] = []

beforeAll(async () => {
  ;[browser, site] = await Promise.all([openBrowser(), openTestSite()])
  const mayTryPin = openRateLimiter({ limit: 3, windowMs: 3_600_000 })
  site.handle('/s/', async (request, response) => {
    const trustedRequest = readTrustedRequest(request, { trusted: { by: 'nobody' }, addresses: () => [] })
    const rules = { mostBytes: 300_000, idleMs: 5000, rate: usualLimits().bodyRate }
    const body = watchBody(request, response, rules, () => response.destroy())
    if (!body) return
    await answerSurveyPage({ request, response, trustedRequest }, body, {
      surveyAnswers: testSurveyAnswers(surveys),
      intake: Object.assign(site.desk, {
        context: { world: realWorld, rulesOf: () => ({ optOut: 'cookieless' as const }) },
      }),
      mayTryPin,
      siteOf: () => undefined,
      surveyWithId: (id) => {
        const survey = surveys.find((one) => one.id === id)
        return survey && { survey, project: testProject(1, 'key-1') }
      },
    })
  })
})
afterAll(async () => {
  await Promise.all([browser?.close(), site?.close()])
})
beforeEach(() => {
  site.desk.accepted.length = 0
})

/** The site has these surveys, and no others. */
function publish(...given: Partial<Survey>[]): void {
  surveys = given.map((one) => testSurvey(one))
  Object.assign(site.desk, { surveyAnswers: testSurveyAnswers(surveys) })
}

const surveyEvents = () => site.events().filter(({ name }) => name.startsWith('survey'))
/** The parts of the widget that a page asks for, as it asks for them. */
function partsLoadedBy(page: Page): string[] {
  const loaded: string[] = []
  page.on('request', (request) => {
    const name = new URL(request.url()).pathname.split('/').at(-1) ?? ''
    if (name.startsWith('part-survey')) loaded.push(name)
  })
  return loaded
}

const namesOf = () => surveyEvents().map(({ name }) => name)

const text = '<main><h1>Shop</h1><button id="buy">Buy now</button><p>Words.</p></main>'
const ownSite = { title: 'Shop', body: text, tag: ' data-project="key-1" data-surveys=""' }
const smallScript = {
  title: 'Shop',
  body: text,
  head: '<script defer src="/_tilth/script.js" data-project="key-1"></script>',
  tag: '',
}

const answered = {
  $survey_completed: true,
  $survey_response_rating: 9,
  $survey_response_open: 'Fast',
  $survey_response_plan: 'Team',
  $survey_response_why: ['Speed', 'Colour'],
  $survey_response_link: 'link clicked',
  $survey_response_rank: ['B', 'A', 'C'],
  $survey_response_matrix: { app: 'good', docs: 'bad' },
  $survey_response_pet: 'Dog',
  $survey_response_day: '2026-05-01',
  $survey_response_contact: { email: 'ana@example.com' },
  $survey_response_consent: true,
}

/** Answers a question of each kind, as a person does it. */
async function answerEveryKind(page: Page): Promise<void> {
  const go = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await page.getByText('Hello there').waitFor()
  await go('Next')
  await page.getByRole('radio', { name: '9 of 10' }).check()
  await go('Next')
  await page.getByRole('textbox', { name: 'Why?' }).fill('Fast')
  await go('Next')
  await page.getByRole('radio', { name: 'Team' }).check()
  await go('Next')
  await page.getByRole('checkbox', { name: 'Speed' }).check()
  await page.getByRole('checkbox', { name: 'Something else' }).check()
  await page.getByRole('textbox', { name: 'Something else: Other answer' }).fill('Colour')
  await go('Next')
  await page.getByRole('link', { name: 'Open the link' }).waitFor()
  await go('Next')
  await page.getByRole('combobox', { name: 'Rank of “A”' }).selectOption('2')
  await page.getByRole('combobox', { name: 'Rank of “B”' }).selectOption('1')
  await page.getByRole('combobox', { name: 'Rank of “C”' }).selectOption('3')
  await go('Next')
  await page.getByRole('radio', { name: 'App: Good' }).check()
  await page.getByRole('radio', { name: 'Docs: Bad' }).check()
  await go('Next')
  await page.getByRole('radio', { name: 'Dog' }).check()
  await go('Next')
  await page.getByLabel('Since when?').last().fill('2026-05-01')
  await go('Next')
  await page.getByLabel('E-mail address').fill('ana@example.com')
  await go('Next')
  await page.getByRole('checkbox', { name: 'Yes, you may' }).check()
  await go('Submit')
  await page.getByText('Thank you.').waitFor()
}

const look = (more: Partial<SurveyAppearance>): Survey['content'] => {
  const content = contentWith(everyKind)
  return { ...content, appearance: { ...content.appearance, ...more } }
}

describe('the widget', () => {
  test.each([
    ['a site of ours', ownSite],
    ['a site with the small script', smallScript],
  ])('on %s asks every kind of question', async (_, page) => {
    publish({})
    site.show('/shop', page)
    const visitor = await aVisitor(browser)
    await visitor.goto(`${site.address}/shop`)
    await answerEveryKind(visitor)
    await expect.poll(namesOf).toEqual(['survey shown', 'survey sent'])
    expect(surveyEvents()[1]?.properties).toMatchObject({ ...answered, $survey_id: 'survey-1' })
  })

  test('asks again for an answer that could not be sent, and thanks for one that was', async () => {
    publish({ content: contentWith(everyKind.filter(({ id }) => id === 'open')) })
    site.show('/shop', ownSite)
    const visitor = await aVisitor(browser)
    await visitor.goto(`${site.address}/shop`)
    await expect.poll(namesOf).toEqual(['survey shown'])
    await visitor.route('**/answers', (route) => route.abort())
    await visitor.getByRole('textbox', { name: 'Why?' }).fill('Fast')
    await visitor.getByRole('button', { name: 'Submit' }).click()
    await visitor.getByText('Your answers could not be sent. Try again.').waitFor()
    expect(await visitor.getByRole('textbox', { name: 'Why?' }).inputValue()).toBe('Fast')

    await visitor.unroute('**/answers')
    await visitor.getByRole('button', { name: 'Submit' }).click()
    await visitor.getByText('Thank you.').waitFor()
    expect(namesOf()).toEqual(['survey shown', 'survey sent'])
  })

  test('sends again what a busy server did not take', async () => {
    publish({ content: contentWith(everyKind.filter(({ id }) => id === 'open')) })
    site.show('/shop', ownSite)
    const visitor = await aVisitor(browser)
    let refusals = 0
    await visitor.route('**/answers', (route) =>
      refusals++ < 1 ? route.fulfill({ status: 503 }) : route.continue(),
    )
    await visitor.goto(`${site.address}/shop`)
    await expect.poll(namesOf).toEqual(['survey shown'])
    await visitor.getByRole('textbox', { name: 'Why?' }).fill('Fast')
    refusals = 0
    await visitor.getByRole('button', { name: 'Submit' }).click()
    await visitor.getByText('Thank you.').waitFor()
    expect(namesOf()).toEqual(['survey shown', 'survey sent'])
  })

  test('is loaded only where a survey may be due', async () => {
    publish({ placement: { kind: 'api' } })
    site.show('/shop', smallScript)
    const visitor = await aVisitor(browser)
    const loaded: string[] = []
    visitor.on('request', (request) => loaded.push(new URL(request.url()).pathname))
    await visitor.goto(`${site.address}/shop`)
    await expect.poll(() => site.desk.accepted.length).toBe(1)
    // by then the script has the answer to the first event, which would name the part
    await visitor.evaluate(`tilth.track('later')`)
    await expect.poll(() => site.desk.accepted.length).toBe(2)
    expect(loaded).not.toContain('/_tilth/part-surveys.js')
  })

  test('works from another origin, under a policy that allows it only', async () => {
    publish({})
    const elsewhere = site.address.replace('localhost', '127.0.0.1')
    site.show('/shop', {
      ...smallScript,
      head: `<script defer src="${elsewhere}/_tilth/script.js" data-project="key-1"></script>`,
      headers: {
        'content-security-policy': `default-src 'none'; script-src 'self' ${elsewhere}; connect-src ${elsewhere}`,
      },
    })
    // pictures are the page's to allow; those that were uploaded come from where the widget does
    const visitor = await aVisitor(browser, {
      forbidden: everyKind.flatMap((question) =>
        question.kind === 'picture'
          ? question.choices.map(({ imageUrl }) => `img-src forbids ${elsewhere}${imageUrl}`)
          : [],
      ),
    })
    await visitor.goto(`${site.address}/shop`)
    await answerEveryKind(visitor)
    await expect.poll(namesOf).toEqual(['survey shown', 'survey sent'])
    expect(surveyEvents()[1]?.properties).toMatchObject(answered)
  })

  test.each<[string, Partial<Survey>, string[]]>([
    ['common kinds', { content: contentWith(everyKind.slice(1, 5)) }, []],
    ['a link', { content: contentWith(everyKind.slice(5, 6)) }, ['part-survey-more.js']],
    ['a ranking', { content: contentWith(everyKind.slice(6, 7)) }, ['part-survey-more.js']],
    [
      'shuffled questions',
      { content: contentWith(everyKind.slice(1, 3), { shufflesQuestions: true }) },
      ['part-survey-more.js'],
    ],
  ])('loads the rest for %s only if it is needed', async (_, survey, files) => {
    publish(survey)
    site.show('/shop', ownSite)
    const visitor = await aVisitor(browser)
    const loaded = partsLoadedBy(visitor)
    await visitor.goto(`${site.address}/shop`)
    await visitor.getByRole('dialog').waitFor()
    expect(loaded).toEqual(['part-surveys.js', 'part-survey-widget.js', ...files])
  })

  test('is not loaded at an address that no survey is for, and is where the page moves on to one', async () => {
    publish({ targeting: { url: { match: 'contains', value: '/pricing' } } })
    site.show('/shop', smallScript)
    const visitor = await aVisitor(browser)
    const loaded = partsLoadedBy(visitor)
    await visitor.goto(`${site.address}/shop`)
    await expect.poll(() => site.desk.accepted.length).toBe(1)
    await visitor.evaluate(`tilth.track('later')`)
    await expect.poll(() => site.desk.accepted.length).toBe(2)
    expect(loaded).toEqual([])
    await visitor.evaluate(() => history.pushState({}, '', '/pricing'))
    await visitor.getByRole('dialog').waitFor()
  })

  /** Counts how often the widget has looked for a survey that is due, and lets a test move its clock on. */
  const controlledTime = `
    window.looks = 0
    const every = setInterval
    window.setInterval = (look, ms) => every(() => { look(); window.looks++ }, ms)
    const now = Date.now
    Date.now = () => now() + Number(localStorage.passedMs ?? 0)`

  const pass = (visitor: Page, seconds: number) =>
    visitor.evaluate(`localStorage.passedMs = Number(localStorage.passedMs ?? 0) + ${seconds * 1000}`)

  async function expectNoSurvey(visitor: Page): Promise<void> {
    const looks = async () => Number(await visitor.evaluate('window.looks'))
    const before = await looks()
    await expect.poll(looks, { interval: 250 }).toBeGreaterThanOrEqual(before + 2)
    expect(await visitor.getByRole('dialog').count()).toBe(0)
  }

  const happens = (visitor: Page, name: string, props = {}) =>
    visitor.evaluate(`tilth.track('${name}', { props: ${JSON.stringify(props)} })`)
  const event = (name: string) => ({ kind: 'event' as const, event: name, properties: [] })
  const pro = { type: 'event' as const, key: 'plan', operator: 'exact' as const, value: ['pro'] }

  test.each<[string, Survey['targeting'], (visitor: Page) => Promise<unknown>]>([
    [
      'enough of the page was seen',
      { scrollPercent: 60 },
      (visitor) => visitor.evaluate(() => scrollTo(0, 2600)),
    ],
    [
      'the pointer leaves the window',
      { exitIntent: true },
      (visitor) =>
        visitor.evaluate(() =>
          document.documentElement.dispatchEvent(new MouseEvent('mouseleave', { clientY: -1 })),
        ),
    ],
    [
      'an element is there',
      { selector: '.cart' },
      (visitor) => visitor.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<p class="cart">')),
    ],
    [
      'the page has moved to its address',
      { url: { match: 'regex', value: 'plan=(a|b)$' } },
      (visitor) => visitor.evaluate(() => history.replaceState({}, '', '?plan=b')),
    ],
    [
      'its event has the property',
      { triggers: [{ ...event('upgrade'), properties: [pro] }] },
      async (visitor) => {
        await happens(visitor, 'upgrade', { plan: 'free' })
        await expectNoSurvey(visitor)
        await happens(visitor, 'upgrade', { plan: 'pro' })
      },
    ],
    [
      'its element is clicked',
      { triggers: [{ kind: 'action', name: 'Buys', steps: [{ event: '$autocapture', selector: '#buy' }] }] },
      (visitor) => visitor.locator('#buy').click(),
    ],
    [
      'its delay begins anew after it was cancelled',
      { triggers: [event('upgrade')], cancelEvents: [event('left')], delaySeconds: 60 },
      async (visitor) => {
        await happens(visitor, 'upgrade')
        await expectNoSurvey(visitor)
        await happens(visitor, 'left')
        await visitor.waitForResponse('**/event')
        await pass(visitor, 90)
        await expectNoSurvey(visitor)
        await happens(visitor, 'upgrade')
        await expectNoSurvey(visitor)
        await pass(visitor, 60)
      },
    ],
  ])('draws a survey, and loads what draws it, once %s', async (_, targeting, act) => {
    publish({ targeting })
    site.show('/shop', { ...smallScript, body: `${text}<div style="height:3000px"></div>` })
    const visitor = await aVisitor(browser, { bypassCSP: true })
    await visitor.addInitScript(controlledTime)
    const loaded = partsLoadedBy(visitor)
    await visitor.goto(`${site.address}/shop`)
    await expectNoSurvey(visitor)
    expect(loaded).not.toContain('part-survey-widget.js')
    await act(visitor)
    await visitor.getByRole('dialog').waitFor()
    expect(loaded).toContain('part-survey-widget.js')
  })

  test.each<[string, Survey['targeting']]>([
    ['it waits for', { delaySeconds: 60 }],
    ['that an event has begun', { triggers: [event('upgrade')], delaySeconds: 60 }],
  ])('a delay %s goes on on the next page', async (_, targeting) => {
    publish({ targeting })
    for (const path of ['/shop', '/next']) site.show(path, smallScript)
    const visitor = await aVisitor(browser)
    await visitor.addInitScript(controlledTime)
    await visitor.goto(`${site.address}/shop`)
    await happens(visitor, 'upgrade')
    await expectNoSurvey(visitor)
    await pass(visitor, 40)
    await visitor.goto(`${site.address}/next`)
    await expectNoSurvey(visitor)
    await pass(visitor, 30)
    await visitor.getByRole('dialog').waitFor()
  })

  test('a survey for every time is shown after each event, also after an answer', async () => {
    const content = contentWith(everyKind.filter(({ id }) => id === 'open'))
    publish({ content, targeting: { triggers: [event('upgrade')], repeatsOnTrigger: true } })
    site.show('/shop', smallScript)
    const visitor = await aVisitor(browser)
    await visitor.goto(`${site.address}/shop`)
    const dialog = visitor.getByRole('dialog')
    for (const answer of ['Fast', 'Cheap', undefined]) {
      await happens(visitor, 'upgrade')
      await dialog.waitFor()
      if (answer !== undefined) {
        await dialog.getByRole('textbox', { name: 'Why?' }).fill(answer)
        await dialog.getByRole('button', { name: 'Submit' }).click()
        await dialog.getByText('Thank you.').waitFor()
      }
      await dialog.getByRole('button', { name: 'Close' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await expect
      .poll(() => surveyEvents().map(({ name, properties }) => [name, properties['$survey_response_open']]))
      .toEqual([
        ['survey shown', undefined],
        ['survey sent', 'Fast'],
        ['survey shown', undefined],
        ['survey sent', 'Cheap'],
        ['survey shown', undefined],
        ['survey dismissed', undefined],
      ])
    // without an answer it belongs to no submission, and is counted by itself
    expect(surveyEvents().at(-1)?.properties).not.toHaveProperty('$survey_submission_id')
  })

  test('a survey that was begun goes on on the next page, without another event', async () => {
    const content = contentWith(everyKind.slice(1, 3))
    publish({ content, targeting: { triggers: [event('upgrade')], waitDays: 3 } })
    for (const path of ['/shop', '/next']) site.show(path, smallScript)
    const visitor = await aVisitor(browser)
    await visitor.goto(`${site.address}/shop`)
    await happens(visitor, 'upgrade')
    await visitor.getByRole('radio', { name: '9 of 10' }).check()
    await visitor.getByRole('button', { name: 'Next' }).click()
    await visitor.getByRole('textbox', { name: 'Why?' }).waitFor()
    await visitor.goto(`${site.address}/next`)
    await visitor.getByRole('textbox', { name: 'Why?' }).fill('Fast')
    await visitor.getByRole('button', { name: 'Submit' }).click()
    await visitor.getByText('Thank you.').waitFor()
    expect(surveyEvents().at(-1)?.properties).toMatchObject({
      $survey_response_rating: 9,
      $survey_response_open: 'Fast',
    })
  })

  test.each(['at once', 'later'])('a person who is identified %s gets the surveys for them', async (when) => {
    publish({})
    const decide = site.desk.decide.bind(site.desk)
    onTestFinished(() => void Object.assign(site.desk, { decide }))
    Object.assign(site.desk, {
      surveyAnswers: testSurveyAnswers(surveys, { targetingFlag: 'pros' }),
      decide: async ({ distinctId }: { distinctId?: string }) => ({
        decisions: [{ flag: { key: 'pros' }, value: distinctId === 'ana' }],
      }),
    })
    site.show('/shop', smallScript)
    const visitor = await aVisitor(browser)
    await visitor.addInitScript(controlledTime)
    await visitor.goto(`${site.address}/shop`)
    if (when === 'later') await expectNoSurvey(visitor)
    await visitor.evaluate(`tilth.identify('ana')`)
    await visitor.getByRole('dialog').waitFor()
  })

  test('hears of what happened before the surveys were there', async () => {
    const upgrade = { kind: 'event' as const, event: 'upgrade', properties: [] }
    publish({ targeting: { triggers: [upgrade] } })
    site.show('/shop', smallScript)
    const visitor = await aVisitor(browser)
    await visitor.goto(`${site.address}/shop`)
    const dialog = visitor.getByRole('dialog')
    await expect.poll(() => site.desk.accepted.length).toBe(1)
    expect(await dialog.count()).toBe(0)

    site.desk.accepted.length = 0
    await visitor.reload()
    await visitor.evaluate(`tilth.track('upgrade')`)
    await dialog.waitFor()
  })

  test('takes no focus, is a dialog in the order it reads in, and can be closed by key', async () => {
    publish({})
    site.show('/shop', ownSite)
    const visitor = await aVisitor(browser)
    await visitor.goto(`${site.address}/shop`)
    await visitor.locator('#buy').focus()
    const dialog = visitor.getByRole('dialog', { name: 'What do you think?' })
    await dialog.waitFor()
    expect(await visitor.evaluate(() => document.activeElement?.id)).toBe('buy')
    await dialog.getByRole('button', { name: 'Next' }).click()
    const controls = async () =>
      [...(await dialog.ariaSnapshot()).matchAll(/^ *- ([a-z]+ "[^"]*")/gm)].map(([, control]) => control)
    await expect
      .poll(controls)
      .toEqual([
        'dialog "What do you think?"',
        'button "Close"',
        'progressbar "Question 2 of 12"',
        'group "Would you recommend us? (optional)"',
        'radio "0 of 10, Never"',
        ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((value) => `radio "${value} of 10"`),
        'radio "10 of 10, Surely"',
        'button "Next"',
      ])
    await visitor.keyboard.press('Escape')
    await expect.poll(namesOf).toEqual(['survey shown', 'survey dismissed'])
    await dialog.waitFor({ state: 'detached' })
    await visitor.reload()
    await visitor.waitForFunction(() => document.readyState === 'complete')
    expect(await dialog.count()).toBe(0)
  })

  test('keeps clear of a consent banner', async () => {
    publish({ content: look({ position: 'right' }) })
    const banner =
      '<style>.banner{position:fixed;left:0;right:0;bottom:0;height:120px;background:#fff}</style><div class="banner"><button>Accept</button></div>'
    site.show('/shop', { ...ownSite, body: text + banner })
    const visitor = await aVisitor(browser)
    await visitor.goto(`${site.address}/shop`)
    const dialog = visitor.getByRole('dialog')
    await dialog.waitFor()
    await expect
      .poll(async () => {
        const box = await dialog.boundingBox()
        return box ? Math.round(box.y + box.height) : undefined
      })
      .toBe(600 - 120 - 16)
    await visitor.getByRole('button', { name: 'Accept' }).click()
  })

  test.each([
    ['light, wide', { viewport: { width: 1200, height: 800 } }],
    [
      'dark, narrow',
      {
        viewport: { width: 390, height: 844 },
        colorScheme: 'dark' as const,
        reducedMotion: 'reduce' as const,
      },
    ],
  ])('nothing keeps anybody from any kind of question: %s', async (_, options) => {
    const violations: string[] = []
    const visitor = await aVisitor(browser, { ...options, bypassCSP: true })
    for (const question of everyKind) {
      publish({ id: `survey-${question.id}`, content: contentWith([question]) })
      site.show('/shop', ownSite)
      await visitor.goto(`${site.address}/shop`)
      const dialog = visitor.getByRole('dialog')
      await dialog.waitFor()
      // colours are mixed with the page's while the box fades in
      await dialog.evaluate(({ parentElement }) =>
        Promise.all(parentElement?.getAnimations().map(({ finished }) => finished) ?? []),
      )
      violations.push(...(await accessibilityViolations(visitor)))
      const box = await dialog.boundingBox()
      if (box && (box.x < 0 || box.x + box.width > options.viewport.width))
        violations.push(`${question.kind} is cut off`)
    }
    expect(violations).toEqual([])
  })

  test('takes hidden fields of the page’s script element and of its address', async () => {
    const hiddenFields = ['plan', 'place']
    publish({ content: contentWith(everyKind.slice(2, 3), { hiddenFields }) })
    site.show('/shop', { ...ownSite, tag: `${ownSite.tag} data-survey-fields="plan=pro"` })
    const visitor = await aVisitor(browser)
    await visitor.goto(`${site.address}/shop?plan=free&place=top&other=1`)
    await visitor.getByRole('textbox', { name: 'Why?' }).fill('Fast')
    await visitor.getByRole('button', { name: 'Submit' }).click()
    await expect.poll(namesOf).toEqual(['survey shown', 'survey sent'])
    expect(surveyEvents()[1]?.properties).toMatchObject({ plan: 'pro', place: 'top' })
    expect(surveyEvents()[1]?.properties).not.toHaveProperty('other')
  })

  test('a tab goes once its survey is answered', async () => {
    const content = contentWith(everyKind.filter(({ id }) => id === 'open'))
    publish({ content, placement: { kind: 'tab', label: 'Feedback', color: '' } })
    site.show('/shop', ownSite)
    const visitor = await aVisitor(browser)
    await visitor.goto(`${site.address}/shop`)
    const tab = visitor.getByRole('button', { name: 'Feedback' })
    await tab.click()
    await visitor.getByRole('textbox', { name: 'Why?' }).fill('Fast')
    await visitor.getByRole('button', { name: 'Submit' }).click()
    await visitor.getByText('Thank you.').waitFor()
    await tab.waitFor({ state: 'detached' })
  })

  test('a tab and an element of the page open it', async () => {
    publish(
      { id: 'tab', name: 'Feedback form', placement: { kind: 'tab', label: 'Feedback', color: '#1d4ed8' } },
      { id: 'element', name: 'About buying', placement: { kind: 'selector', selector: '#buy' } },
    )
    site.show('/shop', ownSite)
    const visitor = await aVisitor(browser)
    await visitor.goto(`${site.address}/shop`)
    await visitor.getByRole('button', { name: 'Feedback' }).click()
    const form = visitor.getByRole('dialog', { name: 'Feedback form' })
    await form.getByRole('button', { name: 'Close' }).click()
    await visitor.locator('#buy').click()
    await visitor.getByRole('dialog', { name: 'About buying' }).waitFor()
  })
})

test('the form of a survey in a post is answered without a script, though the survey has no page of its own', async () => {
  const hostedPage = { isOpen: false, needsLink: false, pinHash: undefined, mayBeEmbedded: false }
  publish({ placement: { kind: 'inline' }, hostedPage })
  const survey = publicSurveyWith({ id: 'survey-1' })
  const session = beginSession(survey.content)
  const form = { action: '/s/survey-1', hidden: { begin: '' } }
  const body = surveyHtml({ survey, session, words: wordsFor('en'), fields: {}, form })
  site.show('/post', { title: 'Post', body: `<main><h1>Post</h1>${body}</main>`, tag: '' })
  const visitor = await aVisitor(browser, { javaScriptEnabled: false })
  await visitor.goto(`${site.address}/post`)
  await answerEveryKind(visitor)
  await expect.poll(namesOf).toEqual(['survey shown', 'survey sent'])
  expect(surveyEvents()[1]?.properties).toMatchObject(answered)
  expect((await fetch(`${site.address}/s/survey-1`)).status).toBe(404)
})

test('each kind of question is heard with its name, its controls and what is wrong', async () => {
  const visitor = await aVisitor(browser, { bypassCSP: true })
  site.show('/blank', { title: 'Blank', body: '<main></main>', tag: '' })
  await visitor.goto(`${site.address}/blank`)
  const words = wordsFor('de')
  const heard = async (markup: string): Promise<string> => {
    await visitor.setContent(`<form>${markup}</form>`)
    return visitor.locator('form').ariaSnapshot()
  }
  const controls: string[][] = []
  for (const question of [...everyKind, ...otherRatings]) {
    const view = { question, words, known: { answers: {}, fields: {} } }
    const optional = await heard(questionHtml(view))
    controls.push(Array.from(optional.matchAll(heardControl), ([, role, name]) => `${role} ${name}`))
    const required = { ...view, question: asRequired(question), problem: words.required }
    // a group of nothing but its name is heard as one line
    const lines = optional.replace(/^- group "([^"]*)"$/, '- group "$1":\n  - text: $1')
    expect(await heard(questionHtml(required))).toBe(
      `${lines.replaceAll(` (${words.optional})`, '')}\n  - alert: ${words.required}`,
    )
  }
  expect(controls).toEqual([
    [],
    ['radio 0 von 10, Never', ...radiosUpTo(9, 10), 'radio 10 von 10, Surely'],
    ['textbox Why?'],
    ['radio Free', 'radio Team'],
    ['checkbox Speed', 'checkbox Price', 'checkbox Something else', 'textbox Something else: Andere Antwort'],
    ['link Link öffnen'],
    ['combobox Rang von „A“', 'combobox Rang von „B“', 'combobox Rang von „C“'],
    ['radio App: Good', 'radio App: Bad', 'radio Docs: Good', 'radio Docs: Bad'],
    ['radio Cat', 'radio Dog'],
    ['textbox Since when?'],
    ['textbox Name', 'textbox E-Mail-Adresse'],
    ['checkbox Yes, you may'],
    ['radio 1 von 5, Never', 'radio 2 von 5', 'radio 3 von 5', 'radio 4 von 5', 'radio 5 von 5, Surely'],
    ['radio 1 von 3, Never', 'radio 2 von 3', 'radio 3 von 3, Surely'],
    ['radio Gut', 'radio Schlecht'],
  ])
})

const asRequired = (question: SurveyQuestion): SurveyQuestion => ({ ...question, isRequired: true })

const heardControl = /(radio|checkbox|textbox|combobox|link) "([^"]*)"/g

const radiosUpTo = (last: number, most: number) =>
  Array.from({ length: last }, (_, n) => `radio ${n + 1} von ${most}`)

const otherRatings = everyKind.flatMap((question) =>
  question.kind === 'rating'
    ? [
        { ...question, display: 'stars' as const, scale: 5 as const },
        { ...question, display: 'emoji' as const, scale: 3 as const },
        { ...question, display: 'emoji' as const, scale: 2 as const },
      ]
    : [],
)

describe('the page of a survey', () => {
  test.each([true, false])('asks every kind of question; scripts run: %s', async (javaScriptEnabled) => {
    publish({ placement: { kind: 'hosted' } })
    const visitor = await aVisitor(browser, { javaScriptEnabled })
    await visitor.goto(`${site.address}/s/survey-1`)
    await answerEveryKind(visitor)
    await expect.poll(namesOf).toEqual(['survey shown', 'survey sent'])
    expect(surveyEvents()[1]?.properties).toMatchObject(answered)
  })

  test('opening it without showing it records nothing; an answer of its address is sent once it is seen', async () => {
    const rated = { ...contentWith(everyKind.slice(1, 3)), sendsPartialAnswers: true }
    publish({ placement: { kind: 'hosted' }, content: rated })
    const answer = await fetch(`${site.address}/s/survey-1?q0=8`)
    expect(await answer.text()).toContain('checked')
    expect(surveyEvents()).toEqual([])
    const visitor = await aVisitor(browser)
    await visitor.goto(`${site.address}/s/survey-1?q0=8`)
    await expect.poll(namesOf).toEqual(['survey shown', 'survey sent'])
    expect(surveyEvents()[1]?.properties).toMatchObject({
      $survey_completed: false,
      $survey_response_rating: 8,
    })
  })

  test.each<[string, Partial<Survey>]>([
    ['no survey has this id', { id: 'another' }],
    ['it has ended', { endsAt: new Date(0) }],
    ['it is archived', { archivedAt: new Date(0) }],
    [
      'it has no page',
      { hostedPage: { isOpen: false, needsLink: false, pinHash: undefined, mayBeEmbedded: false } },
    ],
  ])('%s: one page for all', async (_, survey) => {
    publish(survey)
    const answer = await fetch(`${site.address}/s/survey-1`, { headers: { accept: 'text/html' } })
    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain('This survey is not available')
  })

  test.each([
    [true, 'frame-ancestors *'],
    [false, "frame-ancestors 'none'"],
  ])('stands in frames of other sites: %s', async (mayBeEmbedded, policy) => {
    publish({ hostedPage: { isOpen: true, needsLink: false, pinHash: undefined, mayBeEmbedded } })
    const answer = await fetch(`${site.address}/s/survey-1`)
    expect(answer.headers.get('content-security-policy')).toContain(policy)
  })

  test('a PIN is asked for, and can be tried a few times only', async () => {
    const pinHash = await hashPassword('4711')
    publish({
      placement: { kind: 'hosted' },
      hostedPage: { isOpen: true, needsLink: false, pinHash, mayBeEmbedded: false },
    })
    const visitor = await aVisitor(browser, { forbidden: [] })
    await visitor.goto(`${site.address}/s/survey-1`)
    await visitor.getByLabel('PIN').fill('4711')
    await visitor.getByRole('button', { name: 'Open the survey' }).click()
    await answerEveryKind(visitor)
    await expect.poll(namesOf).toEqual(['survey shown', 'survey sent'])
    const guess = () =>
      fetch(`${site.address}/s/survey-1`, { method: 'POST', body: new URLSearchParams({ pin: '0000' }) })
    const statuses = [(await guess()).status, (await guess()).status, (await guess()).status]
    expect(statuses).toEqual([403, 403, 429])
  })

  test.each([true, false])(
    'is read in the order it is answered in; scripts run: %s',
    async (javaScriptEnabled) => {
      publish({ placement: { kind: 'hosted' } })
      const visitor = await aVisitor(browser, { javaScriptEnabled })
      await visitor.goto(`${site.address}/s/survey-1`)
      await visitor.getByRole('button', { name: 'Next' }).click()
      await visitor.getByRole('radio', { name: '9 of 10' }).waitFor()
      const controls = (await visitor.locator('body').ariaSnapshot()).matchAll(/^ *- ([a-z]+ "[^"]*")/gm)
      expect([...controls].map(([, control]) => control)).toEqual([
        'heading "What do you think?"',
        'region "What do you think?"',
        'progressbar "Question 2 of 12"',
        'group "Would you recommend us? (optional)"',
        'radio "0 of 10, Never"',
        ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((value) => `radio "${value} of 10"`),
        'radio "10 of 10, Surely"',
        'button "Next"',
      ])
    },
  )

  test.each(['light', 'dark'] as const)('nothing keeps anybody from it: %s', async (colorScheme) => {
    publish({ placement: { kind: 'hosted' } })
    const options = { bypassCSP: true, viewport: { width: 390, height: 844 }, colorScheme }
    const visitor = await aVisitor(browser, options)
    for (const question of everyKind) {
      publish({ placement: { kind: 'hosted' }, content: contentWith([question]) })
      await visitor.goto(`${site.address}/s/survey-1`)
      expect(await accessibilityViolations(visitor), question.kind).toEqual([])
      expect(await horizontalOverflow(visitor), question.kind).toBe(0)
    }
  })

  test.each([true, false])(
    'says beside the question what is wrong with its answer, and goes on with the enter key; scripts run: %s',
    async (javaScriptEnabled) => {
      const questions = everyKind
        .filter(({ kind }) => kind === 'rating' || kind === 'contact')
        .map(asRequired)
      publish({ placement: { kind: 'hosted' }, content: contentWith(questions, { allowsGoingBack: true }) })
      const visitor = await aVisitor(browser, { javaScriptEnabled })
      await visitor.goto(`${site.address}/s/survey-1`)
      await visitor.getByRole('button', { name: 'Next' }).click()
      await visitor
        .getByRole('group', { name: /recommend/ })
        .getByText('Answer this question to go on.')
        .waitFor()
      await visitor.getByRole('radio', { name: '9 of 10' }).check()
      await visitor.getByRole('button', { name: 'Next' }).click()
      await visitor.getByLabel('E-mail address').fill('ana')
      await visitor.getByLabel('E-mail address').press('Enter')
      await visitor.getByText('Write an address such as "ana@example.com".').waitFor()
      expect(await visitor.getByLabel('E-mail address').inputValue()).toBe('ana')
      await visitor.getByLabel('E-mail address').fill('ana@example.com')
      await visitor.getByLabel('E-mail address').press('Enter')
      await visitor.getByText('Thank you.').waitFor()
      await expect.poll(namesOf).toEqual(['survey shown', 'survey sent'])
    },
  )

  test('an answer of the address that is opened twice in a browser is one response', async () => {
    const rated = { ...contentWith(everyKind.slice(1, 3)), sendsPartialAnswers: true }
    publish({ placement: { kind: 'hosted' }, content: rated })
    const visitor = await aVisitor(browser)
    const address = `${site.address}/s/survey-1?q0=8`
    await visitor.goto(address)
    await expect.poll(namesOf).toEqual(['survey shown', 'survey sent'])
    const again = await visitor.context().newPage()
    await again.goto(address)
    await expect.poll(() => namesOf().length).toBe(4)
    expect(submissionIds().size).toBe(1)

    // another browser is another person
    const other = await aVisitor(browser)
    await other.goto(address)
    await expect.poll(() => submissionIds().size).toBe(2)
  })

  test.each([true, false])('leads on by itself from its end; scripts run: %s', async (javaScriptEnabled) => {
    const endCards = [
      {
        id: 'end',
        header: 'Thanks',
        description: { format: 'text' as const, text: '' },
        buttonText: '',
        link: 'https://next.example/done',
        redirects: true,
      },
    ]
    publish({ placement: { kind: 'hosted' }, content: contentWith(everyKind.slice(2, 3), { endCards }) })
    const visitor = await aVisitor(browser, { javaScriptEnabled })
    await visitor.route('https://next.example/done', (route) => route.fulfill({ body: 'Arrived' }))
    await visitor.goto(`${site.address}/s/survey-1`)
    await visitor.getByRole('textbox', { name: 'Why?' }).fill('Fast')
    await visitor.getByRole('button', { name: 'Submit' }).click()
    await visitor.getByText('Arrived').waitFor()
    expect(namesOf()).toEqual(['survey shown', 'survey sent'])
  })
})

const submissionIds = () =>
  new Set(surveyEvents().flatMap(({ properties }) => properties['$survey_submission_id'] ?? []))
