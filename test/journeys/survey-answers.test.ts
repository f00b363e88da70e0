import { randomUUID } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { aTilth, childOf, isGone, run, type RunningTestTilth } from '../start/tilth'
import { reload, visit } from '../studio/hydration'
import { ownedEnvironment, secretKey, signIn, writeKey } from '../studio/owner'
import { aSite, installedPage, installedScript } from '../wire/posthog-server'
import { aVisitor, openBrowser } from '../site/site-fixture'
import { accessibilityViolations } from '../studio/studio'
import { patienceMs } from '../running/patience'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

const agent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

const callApi = (tilth: RunningTestTilth, path: string, body: object, method = 'POST') =>
  fetch(`${tilth.address}/api/v1/projects/acme${path}`, {
    method,
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function ask(tilth: RunningTestTilth, path: string, body: object, method?: string): Promise<unknown> {
  const answer = await callApi(tilth, path, body, method)
  expect(answer.ok, `${path} was answered with ${answer.status}`).toBe(true)
  return answer.json()
}

const score = { id: 'score', kind: 'rating', text: 'Was this useful?', display: 'number', scale: 5 }
const why = { id: 'why', kind: 'open', text: 'Why?' }
const made = z.looseObject({ id: z.string(), revision: z.number() })

async function launch(tilth: RunningTestTilth, survey: object): Promise<string> {
  const { id } = made.parse(await ask(tilth, '/surveys', survey))
  await ask(tilth, `/surveys/${id}/launch`, {})
  return id
}

async function publishPost(tilth: RunningTestTilth, slug: string, body: string): Promise<void> {
  const { id } = z
    .looseObject({ id: z.string() })
    .parse(await ask(tilth, '/posts', { kind: 'post', title: `About ${slug}`, slug, body }))
  await ask(tilth, `/posts/${id}/publish`, {})
  // the pages process hears of a change within a quarter of a second
  await expect.poll(async () => (await fetch(`${tilth.address}/blog/${slug}.md`)).status).toBe(200)
}

const results = z.looseObject({
  submissions: z.looseObject({ responded: z.number() }),
  questions: z.array(z.looseObject({ id: z.string(), answered: z.number() })),
})

/** The number of persons who responded, and who answered each question. */
async function resultsOf(tilth: RunningTestTilth, id: string) {
  const { submissions, questions } = results.parse(await ask(tilth, `/surveys/${id}/results`, {}))
  return {
    responded: submissions.responded,
    ...Object.fromEntries(questions.map((one) => [one.id, one.answered])),
  }
}

/** Results are made of stored events. */
const often = { interval: 250 }

test('a survey in a post is answered in place, and without a script on its page, and is read in order', async () => {
  const tilth = await aTilth(ownedEnvironment)
  const content = { questions: [score, why], endCards: [{ id: 'thanks', header: 'Thank you for that.' }] }
  const id = await launch(tilth, { name: 'Feedback', content, placement: { kind: 'inline' } })
  await publishPost(tilth, 'apples', `Words.\n\n:::survey{survey="${id}"}\n:::`)
  const visitor = await aVisitor(browser, { userAgent: agent })
  const scriptMayCome = Promise.withResolvers<void>()
  await visitor.route(/part-survey-form/, (route) => scriptMayCome.promise.then(() => route.continue()))
  // the page with the survey is not the one that the script began on
  await visitor.goto(`${tilth.address}/blog`)
  await visitor.waitForFunction(() => history.state?.tilth !== undefined)
  await visitor.getByRole('link', { name: 'About apples' }).first().click()
  const survey = visitor.getByRole('region', { name: 'Feedback' })
  await survey.getByRole('radio', { name: '4 of 5' }).waitFor()
  // a person who is quicker than the script keeps the answer and the focus
  await survey.getByRole('radio', { name: '4 of 5' }).check()
  scriptMayCome.resolve()
  await visitor.locator('[data-tilth-survey-form][data-begun]').waitFor()
  expect(await survey.getByRole('radio', { name: '4 of 5' }).isChecked()).toBe(true)
  expect(await visitor.evaluate('document.activeElement.value')).toBe('4')
  const heard = async () =>
    [...(await survey.ariaSnapshot()).matchAll(/^ *- ([a-z]+ "[^"]*")/gm)].map(([, one]) => one)
  // the script replaces what the server drew by the same
  await expect
    .poll(heard, often)
    .toEqual([
      'region "Feedback"',
      'progressbar "Question 1 of 2"',
      'group "Was this useful? (optional)"',
      ...[1, 2, 3, 4, 5].map((value) => `radio "${value} of 5"`),
      'button "Next"',
    ])
  await survey.getByRole('button', { name: 'Next' }).click()
  await survey.getByRole('textbox', { name: 'Why?' }).fill('Clear')
  await survey.getByRole('button', { name: 'Submit' }).click()
  await survey.getByText('Thank you for that.').waitFor()
  expect(new URL(visitor.url()).pathname).toBe('/blog/apples')

  const plain = await (await browser.newContext({ javaScriptEnabled: false, userAgent: agent })).newPage()

  plain.setDefaultTimeout(patienceMs)
  await plain.goto(`${tilth.address}/blog/apples`)
  await plain.getByRole('radio', { name: '2 of 5' }).check()
  await plain.getByRole('button', { name: 'Next' }).click()
  await plain.getByRole('textbox', { name: 'Why?' }).fill('Short')
  await plain.getByRole('button', { name: 'Submit' }).click()
  await plain.getByText('Thank you for that.').waitFor()
  await plain.context().close()
  await expect.poll(() => resultsOf(tilth, id), often).toEqual({ responded: 2, score: 2, why: 2 })

  await changed(tilth, id, { content: { ...content, questions: [why] } })
  // the answers to the question that was deleted stay
  await expect.poll(() => resultsOf(tilth, id), often).toMatchObject({ responded: 2, why: 2, score: 2 })
})

async function readApi(tilth: RunningTestTilth, path: string): Promise<unknown> {
  const answer = await fetch(`${tilth.address}/api/v1/projects/acme${path}`, {
    headers: { authorization: `Bearer ${secretKey}` },
  })
  return answer.json()
}

async function changed(tilth: RunningTestTilth, id: string, change: object): Promise<void> {
  const { revision } = made.parse(await readApi(tilth, `/surveys/${id}`))
  await ask(tilth, `/surveys/${id}`, { revision, ...change }, 'PATCH')
}

test('a survey in a post is drawn for the visitors it is for, once, and where it belongs', async () => {
  const tilth = await aTilth(ownedEnvironment)
  const content = { questions: [score], hiddenFields: ['plan', 'place'] }
  const inline = { content, placement: { kind: 'inline' } }
  const pro = { type: 'person', key: 'plan', operator: 'exact', value: 'pro' }
  const ids = {
    'For all': await launch(tilth, { name: 'For all', ...inline }),
    'By API': await launch(tilth, { name: 'By API', content, placement: { kind: 'api' } }),
    'For pros': await launch(tilth, { name: 'For pros', ...inline, targeting: { person: { all: [pro] } } }),
    'On prices': await launch(tilth, {
      name: 'On prices',
      ...inline,
      targeting: { url: { match: 'contains', value: '/prices' } },
    }),
    'On phones': await launch(tilth, {
      name: 'On phones',
      ...inline,
      targeting: { deviceTypes: ['Mobile'] },
    }),
  }
  const blocks = Object.values(ids).map((id) => `:::survey{survey="${id}" fields="place=end"}\n:::`)
  await publishPost(tilth, 'pears', ['Words.', ...blocks].join('\n\n'))
  const visitor = await aVisitor(browser, { userAgent: agent, bypassCSP: true })
  await visitor.goto(`${tilth.address}/blog/pears?plan=free`)
  const drawn = () =>
    visitor.locator('[data-tilth-survey-form] section').evaluateAll((all) => all.map((one) => one.ariaLabel))
  await expect.poll(drawn, often).toEqual(['For all'])
  expect(await accessibilityViolations(visitor)).toEqual([])
  await visitor.getByRole('radio', { name: '4 of 5' }).check()
  await visitor.getByRole('button', { name: 'Submit' }).click()
  await visitor.getByText('Thank you.').waitFor()
  await visitor.reload()
  await expect.poll(drawn, often).toEqual([])
  await expect.poll(() => resultsOf(tilth, ids['For all']), often).toEqual({ responded: 1, score: 1 })
})

test('the write key sends no answers past the page of a survey, in any dialect', async () => {
  const tilth = await aTilth(ownedEnvironment)
  const content = { questions: [score] }
  const hosted = { content, placement: { kind: 'hosted' } }
  const ids = [
    await launch(tilth, { name: 'Open', ...hosted, responseLimit: 1 }),
    await launch(tilth, { name: 'With a PIN', ...hosted, hostedPage: { pin: '4711' } }),
    await launch(tilth, { name: 'With links', ...hosted, hostedPage: { needsLink: true } }),
  ]
  const popover = await launch(tilth, { name: 'Popover', content })
  for (const id of [...ids, popover]) await forge(tilth, id)
  // the same events are taken for a survey that any client may show
  await expect.poll(async () => (await resultsOf(tilth, popover)).responded, often).toBe(8)
  for (const id of ids) expect(await resultsOf(tilth, id)).toEqual({ responded: 0, score: 0 })
  const metrics = await (await fetch(`${tilth.address}/_tilth/metrics`)).text()
  expect(metrics).toMatch(/tilth_events_dropped\{reason="survey-page-only"\} 24/)
})

/** Sends a finished response in each form in which events come. */
async function forge(tilth: RunningTestTilth, id: string): Promise<void> {
  const properties = {
    token: writeKey,
    distinct_id: 'eve',
    $survey_id: id,
    $survey_response_score: 5,
    $survey_completed: true,
  }
  const event = () => ({ uuid: randomUUID(), event: 'survey sent', distinct_id: 'eve', properties })
  const segment = { authorization: `Basic ${btoa(`${writeKey}:`)}` }
  const track = { event: 'survey sent', userId: 'eve', properties }
  const url = `${tilth.address}/`
  const requests: [string, object, Record<string, string>?][] = [
    ['/e/', event()],
    ['/i/v0/e/', event()],
    ['/capture/', { api_key: writeKey, ...event() }],
    ['/batch/', { api_key: writeKey, batch: [event()] }],
    ['/batch/', { api_key: writeKey, historical_migration: true, batch: [event()] }],
    ['/v1/track', track, segment],
    ['/v1/import', { batch: [{ type: 'track', ...track }] }, segment],
    ['/_tilth/event', { key: writeKey, url, events: [{ name: 'survey sent', props: properties }] }],
  ]
  for (const [path, body, headers] of requests) {
    const answer = await fetch(`${tilth.address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': agent, ...headers },
      body: JSON.stringify(body),
    })
    expect(answer.ok, `${path}: ${answer.status}`).toBe(true)
  }
}

test('from a template to the launch, to visitors on another origin, to the number and the texts of the results', async () => {
  const tilth = await aTilth(ownedEnvironment)
  const context = await browser.newContext({ baseURL: tilth.address })
  onTestFinished(() => context.close())
  const studio = await context.newPage()
  studio.setDefaultTimeout(patienceMs)
  await signIn(studio)
  await visit(studio, '/studio/acme/surveys/new')
  await studio.getByRole('button', { name: 'Use Net promoter score (NPS)' }).click()
  await studio.getByRole('tab', { name: 'Launch' }).click()
  await studio.getByRole('button', { name: 'Launch', exact: true }).click()
  await studio.getByText('The survey is running.').waitFor()

  const site = await aSite(
    {
      '/tilth': `<!doctype html><title>Shop</title><script defer src="${tilth.address}/_tilth/script.js" data-project="${writeKey}"></script><h1>Shop</h1>`,
      '/posthog': installedPage(writeKey, tilth.address, {}, '/posthog.js'),
      '/posthog.js': await installedScript(),
    },
    tilth.port,
  )
  const promoter = await aVisitor(browser, { userAgent: agent })
  await promoter.goto(`${site}/tilth`)
  const survey = promoter.getByRole('dialog', { name: 'Net promoter score' })
  await survey.getByRole('radio', { name: '9 of 10' }).check()
  await survey.getByRole('button', { name: 'Next' }).click()
  await survey.getByRole('textbox', { name: 'What do you like most?' }).fill('It is quick')
  await survey.getByRole('button', { name: 'Submit' }).click()
  await survey.getByText('Thank you!').waitFor()

  const detractor = await aVisitor(browser, { userAgent: agent })
  await detractor.goto(`${site}/posthog`)
  await detractor.locator('.ratings-number', { hasText: /^2$/ }).click()
  await detractor.locator('.form-submit').click()
  await detractor.locator('textarea').fill('Fewer clicks')
  await detractor.locator('.form-submit').click()
  await detractor.getByText('Thank you!').waitFor()

  const views = studio.getByRole('navigation', { name: 'Views of Net promoter score' })
  await views.getByRole('link', { name: 'Results' }).click()
  await studio.getByText('Response rate').waitFor()
  const seen = async () => {
    await reload(studio)
    const text = await studio.getByRole('main').innerText()
    return [
      /Shown[^]*?Responses\s+(\d+)/.exec(text)?.[1],
      /(\S+)\s+NPS\s+\S+ to /.exec(text)?.[1],
      text.includes('It is quick'),
      text.includes('Fewer clicks'),
    ]
  }
  await expect.poll(seen, often).toEqual(['2', '0', true, true])
})

test('the last response that a survey takes makes it full in the list, on its page, over the API and in the command line', async () => {
  const tilth = await aTilth(ownedEnvironment)
  const hosted = { placement: { kind: 'hosted' }, hostedPage: { isOpen: true } }
  const content = { questions: [score] }
  const id = await launch(tilth, { name: 'First two', content, ...hosted, responseLimit: 2 })
  const context = await browser.newContext({ baseURL: tilth.address })
  onTestFinished(() => context.close())
  const studio = await context.newPage()
  studio.setDefaultTimeout(patienceMs)
  await signIn(studio)
  const statuses = async () => {
    await visit(studio, '/studio/acme/surveys')
    const listed = await studio.getByRole('row', { name: /First two/ }).innerText()
    await visit(studio, `/studio/acme/surveys/${id}?tab=launch`)
    const shown = await studio.getByText(/^The survey (?:is|has) /).innerText()
    const { surveys } = listedSurveys.parse(await readApi(tilth, '/surveys'))
    const { status } = listedSurvey.parse(await readApi(tilth, `/surveys/${id}`))
    const command = run(['survey', 'list', 'acme'], { TILTH_DATA: tilth.folder })
    await command.ended
    return [
      /Running|Full/.exec(listed)?.[0],
      shown,
      surveys[0]?.status,
      status,
      /running|full/.exec(command.out)?.[0],
    ]
  }
  const respond = async () => {
    const visitor = await aVisitor(browser, { userAgent: agent })
    await visitor.goto(`${tilth.address}/s/${id}`)
    await visitor.getByRole('radio', { name: '4 of 5' }).check()
    await visitor.getByRole('button', { name: 'Submit' }).click()
    await visitor.getByText('Thank you.').waitFor()
    await visitor.context().close()
  }
  await respond()
  expect(await statuses()).toEqual(['Running', 'The survey is running.', 'running', 'running', 'running'])
  await respond()
  const full = ['Full', 'The survey has reached its response limit.', 'full', 'full', 'full']
  await expect.poll(statuses, often).toEqual(full)
})

const listedSurvey = z.looseObject({ status: z.string() })
const listedSurveys = z.object({ surveys: z.array(listedSurvey) })

test('flags know that a survey was shown, before its event is stored', async () => {
  const tilth = await aTilth(ownedEnvironment)
  const targeting = { waitDays: 30 }
  const id = await launch(tilth, { name: 'Feedback', content: { questions: [score] }, targeting })
  const post = (path: string, body: object) =>
    fetch(`${tilth.address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': agent },
      body: JSON.stringify(body),
    })
  const targetingFlag = async () => {
    const answer = await post('/flags/?v=2', { token: writeKey, distinct_id: 'ana' })
    const { flags } = z
      .looseObject({ flags: z.record(z.string(), z.looseObject({ enabled: z.boolean() })) })
      .parse(await answer.json())
    const [flag] = Object.entries(flags).filter(([key]) => key.startsWith('survey-targeting-'))
    return flag?.[1].enabled
  }
  await expect.poll(targetingFlag).toBe(true)
  const engine = childOf(tilth.pid, 'engine-child.js')
  process.kill(engine, 'SIGSTOP')
  const shown = await post('/e/', {
    uuid: randomUUID(),
    event: 'survey shown',
    // old clients say nothing about the person
    properties: { token: writeKey, distinct_id: 'ana', $survey_id: id, $survey_name: 'Feedback' },
  })
  expect(shown.status).toBe(200)
  await expect.poll(targetingFlag).toBe(false)
  tilth.kill('SIGKILL')
  await tilth.ended
  // stopped, it does not notice that its parent is gone
  if (!isGone(engine)) process.kill(engine, 'SIGKILL')
})

test('the page of a survey takes a program at its word and nothing of it, and no flood; a loop is refused', async () => {
  const tilth = await aTilth(ownedEnvironment)
  const hosted = { placement: { kind: 'hosted' }, hostedPage: { isOpen: true } }
  const id = await launch(tilth, { name: 'Feedback', content: { questions: [score] }, ...hosted })
  const page = `${tilth.address}/s/${id}`
  const html = await (await fetch(page, { headers: { accept: 'text/html', 'user-agent': agent } })).text()
  const [, state = ''] = /name="state" value="([^"]*)"/.exec(html) ?? []
  const send = (fields: Record<string, string>) =>
    fetch(page, {
      method: 'POST',
      headers: { accept: 'text/html', 'user-agent': agent },
      body: new URLSearchParams({ state, 'answer.score': '3', ...fields }),
    })
  const trapped = await send({ website: 'https://spam.example' })
  expect(trapped.status).toBe(200)
  expect(await trapped.text()).toContain('Thank you')

  const statuses = new Map<number, number>()
  for (let n = 0; n < 400; n++) {
    const { status } = await send({})
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect(new Set(statuses.keys())).toEqual(new Set([200, 429]))
  expect(await (await send({})).text()).toContain('Too many requests from your network.')
  await expect.poll(() => resultsOf(tilth, id), often).toMatchObject({ responded: 1 })
  const refusals = (statuses.get(429) ?? 0) + 2
  const metrics = await (await fetch(`${tilth.address}/_tilth/metrics`)).text()
  expect(metrics).toContain(`tilth_events_dropped{reason="refused-answers"} ${refusals}`)

  const loop = { ...why, branching: { kind: 'question', question: 'score' } }
  const refused = await callApi(tilth, '/surveys', { name: 'Loop', content: { questions: [score, loop] } })
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain('no path leads to the end')
})
