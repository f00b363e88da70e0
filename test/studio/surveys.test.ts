import { readFileSync } from 'node:fs'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { anEvent, send } from './collecting'
import {
  accessibilityViolations,
  aMember,
  aSharedStudio,
  askApi,
  aStudio,
  chooseOption,
  isUsable,
  isUsableInBothThemes,
  openOwnerPage,
  reload,
  type TestStudio,
  visit,
} from './studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

/** For tests that each make things of their own. */
const shared = aSharedStudio()

const question = (page: Page, number: number) =>
  page.getByRole('region', { name: `Question ${number}`, exact: true })

async function saved(page: Page) {
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
}

test('a survey is made, edited, translated, launched, stopped, copied and archived', async () => {
  const studio = await aStudio(browser)
  const page = await openOwnerPage(studio)
  await create(page)
  await addQuestions(page)
  await reorder(page)
  await branch(page)
  await answerInPreview(page)
  await translate(page)
  await chooseAudience(page)
  await launch(page)
  await changeAtOnce(page)
  await copyAndArchive(page)
  await openResults(page)

  const ben = await aMember(studio, 'viewer', 'Ben')
  await visit(ben, new URL(page.url()).pathname)
  await ben.getByLabel('Name', { exact: true }).fill('Ben’s')
  const save = ben.getByRole('button', { name: 'Save changes' })
  await expect.poll(() => save.getAttribute('aria-disabled')).toBe('true')
})

async function create(page: Page) {
  await visit(page, '/studio/acme/surveys')
  await page.getByText('No surveys yet').waitFor()
  await isUsable(page)
  await page.getByRole('link', { name: 'Create survey' }).click()
  await page.getByRole('button', { name: 'Blank survey' }).waitFor()
  await isUsable(page)
  await page.getByRole('button', { name: 'Blank survey' }).click()
  await page.getByRole('heading', { name: 'Untitled survey' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Checkout')
}

async function add(page: Page, kind: string, text: string) {
  await page.getByRole('button', { name: 'Add question' }).click()
  await page.getByRole('menuitem', { name: new RegExp(`^${kind}`) }).click()
  await page.getByLabel('Question', { exact: true }).fill(text)
}

async function addQuestions(page: Page) {
  await add(page, 'Rating', 'How likely are you to come back?')
  await add(page, 'Single choice', 'What did you buy?')
  await add(page, 'Open text', 'What is missing?')
  await isUsable(page)
  await saved(page)
}

/** The handle keeps the focus while its question moves. */
async function reorder(page: Page) {
  const handle = page.getByRole('button', { name: /^Move question 3/ })
  await handle.focus()
  await page.keyboard.press('ArrowUp')
  await question(page, 2).getByText('What is missing?').waitFor()
  await page.keyboard.press('ArrowUp')
  await question(page, 1).getByText('What is missing?').waitFor()
  await page.keyboard.press('ArrowDown')
  await question(page, 2).getByText('What is missing?').waitFor()
  await page.keyboard.press('ArrowDown')
  await question(page, 3).getByText('What is missing?').waitFor()
}

const open = (page: Page, number: number) =>
  question(page, number)
    .getByRole('button', { name: new RegExp(`^${number}\\.`) })
    .click()

async function choose(page: Page, label: string, option: string, within: Page | Locator = page) {
  await within.getByLabel(label, { exact: true }).click()
  await chooseOption(page, option)
}

async function branch(page: Page) {
  await open(page, 2)
  await choose(page, 'After this question', '1. How likely are you to come back?')
  await page.getByText('No path leads from here to the end.').waitFor()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page
    .getByText(/From the question “.*” no path leads to the end/)
    .first()
    .waitFor()
  await choose(page, 'After this question', 'Depends on the answer…')
  await choose(page, 'Option 1', 'The end', page.getByRole('group', { name: 'Next step by answer' }))
  await page.getByText('No path leads from here to the end.').waitFor({ state: 'detached' })
  await saved(page)
}

async function answerInPreview(page: Page) {
  const preview = page.getByRole('region', { name: 'Preview' })
  await open(page, 2)
  await open(page, 1)
  await preview.getByRole('button', { name: 'Next' }).click()
  await preview.getByText('Answer this question to go on.').waitFor()
  await preview.getByRole('radio', { name: '9 of 10', exact: true }).check({ force: true })
  await preview.getByRole('button', { name: 'Next' }).click()
  await preview.getByRole('radio', { name: 'Option 1' }).check()
  await preview.getByRole('button', { name: 'Next' }).click()
  await preview.getByText('Thank you.').waitFor()
}

async function translate(page: Page) {
  await page.getByRole('tab', { name: 'Translations' }).click()
  await page.getByLabel('New language').fill('nonsense language')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Enter a language tag').waitFor()
  await page.getByLabel('New language').fill('de')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByLabel('Question 1, question in de').fill('Kommen Sie wieder?')
  await isUsable(page)
  await saved(page)
  await choose(page, 'Preview language', 'de')
  const preview = page.getByRole('region', { name: 'Preview' })
  // the answers led to the end card before
  await preview.getByRole('button', { name: 'Restart preview' }).click()
  await preview.getByText('Kommen Sie wieder?').waitFor()
}

async function chooseAudience(page: Page) {
  await page.getByRole('tab', { name: 'Targeting' }).click()
  await page.getByLabel('URL or part of it').fill('/checkout')
  await page.getByRole('checkbox', { name: 'On exit intent' }).check()
  await page.getByText('posthog-js does not know the condition on the exit intent.').waitFor()
  await page.getByRole('checkbox', { name: 'On exit intent' }).uncheck()
  await isUsable(page)
  await saved(page)
  await reload(page)
  await expect.poll(() => page.getByLabel('URL or part of it').inputValue()).toBe('/checkout')
}

async function launch(page: Page) {
  await page.getByRole('tab', { name: 'Launch' }).click()
  await page.getByText('On pages whose address contains /checkout').waitFor()
  await page.getByText(/matched in the last week/).waitFor()
  await isUsable(page)
  await page.getByRole('button', { name: 'Launch', exact: true }).click()
  await page.getByText('The survey is running.').waitFor()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await page.getByRole('button', { name: 'Stop survey' }).click()
  await page.getByText('The survey has ended.').waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByText('The survey is running.').waitFor()
}

/** Two pages change the same survey; the later one is asked before it replaces the earlier change. */
async function changeAtOnce(page: Page) {
  const other = await page.context().newPage()
  await visit(other, new URL(page.url()).pathname)
  await visit(page, new URL(page.url()).pathname)
  await other.getByLabel('Name', { exact: true }).fill('Theirs')
  await saved(other)
  await other.close()
  await page.getByLabel('Name', { exact: true }).fill('Mine')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText(/changed this survey/).waitFor()
  await page
    .getByRole('listitem')
    .filter({ hasText: /^Name$/ })
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await saved(page)
  await page.getByRole('heading', { name: 'Mine', exact: true }).waitFor()
}

async function copyAndArchive(page: Page) {
  const address = page.url()
  await page.getByRole('button', { name: 'More about Mine' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await page.getByRole('heading', { name: 'Mine (copy)', exact: true }).waitFor()
  await page.getByRole('button', { name: 'More about Mine (copy)' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Mine (copy) restored').waitFor()

  await visit(page, '/studio/acme/surveys?state=draft')
  await page.getByRole('link', { name: /Mine \(copy\)/ }).waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  await isUsable(page)
  await visit(page, new URL(address).pathname)
}

async function openResults(page: Page) {
  const views = page.getByRole('navigation', { name: 'Views of Mine' })
  await views.getByRole('link', { name: 'Results' }).click()
  await page.getByText('What did you buy?').waitFor()
  await isUsable(page)
  await views.getByRole('link', { name: 'Build' }).click()
  await page.getByLabel('Name', { exact: true }).waitFor()
}

test('the preview follows a draft where it is, and runs nothing of its HTML', async () => {
  const studio = await shared(browser)
  const described = { format: 'html', text: '<b>Take your time</b>' }
  const questions = [
    { id: 'why', kind: 'open', text: 'Why?', description: described },
    { id: 'how', kind: 'multiple-choice', text: 'How?', hasOther: true, choices: ['By train', 'Other'] },
  ]
  const endCards = [{ id: 'end', header: 'Goodbye' }]
  const content = { questions, endCards, allowsGoingBack: true }
  const input = { name: 'Preview', content }
  const { id } = await askApi<{ id: string }>(studio, 'POST', '/projects/acme/surveys', input)
  const page = await openOwnerPage(studio)
  await visit(page, `/studio/acme/surveys/${id}`)
  const preview = page.getByRole('region', { name: 'Preview', exact: true })
  await preview.getByText('Take your time').waitFor()

  // entered answers stay, and so does the focus of the form
  await preview.getByRole('textbox', { name: 'Why?' }).fill('Because')
  const text = page.getByLabel('Question', { exact: true })
  await text.focus()
  await text.press('End')
  await page.keyboard.type(' Tell us')
  await expect.poll(() => preview.getByRole('textbox', { name: 'Why? Tell us' }).inputValue()).toBe('Because')
  expect(await text.evaluate((field) => field === document.activeElement)).toBe(true)

  // a draft is drawn before the server has seen it
  const attack = '<b onclick="attacked()">Calm</b><img src=x onerror=attacked()><script>attacked()</script>'
  await page.getByLabel('Description', { exact: true }).fill(attack)
  await preview.getByText('Calm', { exact: true }).waitFor()
  expect(await preview.locator('.description').innerHTML()).toBe('<b>Calm</b>')

  await preview.getByRole('button', { name: 'Next' }).click()
  await preview.getByRole('textbox', { name: /^Other: / }).fill('On foot')
  expect(await preview.getByRole('checkbox', { name: 'Other' }).isChecked()).toBe(true)
  await preview.getByRole('button', { name: 'Back' }).click()
  expect(await preview.getByRole('textbox', { name: 'Why? Tell us' }).inputValue()).toBe('Because')
  await preview.getByRole('button', { name: 'Next' }).click()
  await preview.getByRole('checkbox', { name: 'By train' }).check()
  await preview.getByRole('button', { name: 'Submit' }).click()
  await preview.getByText('Goodbye').waitFor()
  await page.getByLabel('Heading of end card 1').fill('Farewell')
  await preview.getByText('Farewell').waitFor()

  // a question that is opened is shown at once
  await open(page, 2)
  await preview.getByRole('group', { name: /^How\?/ }).waitFor()
  await isUsable(page)
})

test('a light survey is light in the preview of a dark studio, and only choices that have a rank are marked', async () => {
  const studio = await shared(browser)
  const questions = [{ id: 'order', kind: 'ranking', text: 'Put in order', choices: ['Speed', 'Price'] }]
  const input = { name: 'Ranking', content: { questions } }
  const { id } = await askApi<{ id: string }>(studio, 'POST', '/projects/acme/surveys', input)
  const page = await openOwnerPage(studio)
  await page.emulateMedia({ colorScheme: 'dark' })
  await visit(page, `/studio/acme/surveys/${id}`)
  const choices = page.getByRole('region', { name: 'Preview', exact: true }).locator('.option')
  const speed = choices.filter({ hasText: 'Speed' }).getByRole('combobox')
  await speed.waitFor()
  const looks = () =>
    choices.evaluateAll((all) =>
      all.map((choice) => {
        const { colorScheme, boxShadow } = getComputedStyle(choice)
        return { colorScheme, isMarked: boxShadow !== 'none' }
      }),
    )
  const unmarked = { colorScheme: 'light', isMarked: false }
  expect(await looks()).toEqual([unmarked, unmarked])
  await speed.selectOption('1')
  expect(await looks()).toEqual([{ ...unmarked, isMarked: true }, unmarked])
})

const scoreAndReason = {
  questions: [
    { id: 'score', kind: 'rating', text: 'Would you recommend us?', display: 'number', scale: 10 },
    { id: 'why', kind: 'open', text: 'Why?' },
  ],
}

/** A launched survey with two promoters and two detractors. */
async function anAnsweredSurvey(studio: TestStudio): Promise<string> {
  const input = { name: 'Recommendation', content: scoreAndReason }
  const { id } = await askApi<{ id: string }>(studio, 'POST', '/projects/acme/surveys', input)
  await askApi(studio, 'POST', `/projects/acme/surveys/${id}/launch`, {})
  const answers = { ana: [9, 'Fast'], ben: [10, 'Fast search'], cleo: [2, 'Slow search'], dan: [4, 'Search'] }
  for (const [person, [score, why]] of Object.entries(answers)) {
    const properties = {
      $survey_id: id,
      $survey_submission_id: `${id} of ${person}`,
      $survey_completed: true,
      $survey_response_score: score,
      $survey_response_why: why,
      $set_once: { name: person },
    }
    expect(await send(studio, anEvent({ event: 'survey sent', distinct_id: person, properties }))).toBe(200)
  }
  const responded = async () => {
    const results = await askApi<{ submissions: { responded: number } }>(
      studio,
      'POST',
      `/projects/acme/surveys/${id}/results`,
      {},
    )
    return results.submissions.responded
  }
  await expect.poll(responded).toBe(4)
  return id
}

test('the detractors of a survey are found, and one of their responses is removed and restored', async () => {
  const studio = await shared(browser)
  const id = await anAnsweredSurvey(studio)
  const page = await openOwnerPage(studio)
  await visit(page, `/studio/acme/surveys/${id}/results`)
  const responsesIn = (shown: string) =>
    page
      .locator('main')
      .getByText('Responses', { exact: true })
      .locator('..')
      .getByText(shown, { exact: true })
  await responsesIn('4').waitFor()
  await page.getByRole('link', { name: 'search', exact: true }).waitFor()
  await isUsable(page)

  await page.getByRole('button', { name: 'Export' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Spreadsheet (XLSX)' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('responses.xlsx')
  expect(readFileSync(await file.path(), 'latin1')).toContain('xl/worksheets/sheet1.xml')

  await page.getByRole('link', { name: 'Detractors 2' }).click()
  const conditions = page.getByRole('list', { name: 'Answer filters' })
  await conditions.getByText('Detractors').waitFor()
  await responsesIn('2').waitFor()
  await isUsable(page)

  await page.getByRole('link', { name: 'See their responses' }).click()
  await page.getByRole('link', { name: 'dan', exact: true }).waitFor()
  const rows = page.getByRole('table', { name: 'Responses' }).getByRole('row')
  await expect.poll(() => rows.count()).toBe(3)
  await isUsable(page)
  await page.getByRole('button', { name: 'Remove the response of cleo' }).click()
  // the message, and the Undo on it, stay while the mouse is on it
  await page.getByText('Response removed').hover()
  await page.getByRole('link', { name: 'cleo', exact: true }).waitFor({ state: 'detached' })
  await expect.poll(() => rows.count()).toBe(2)

  const results = await page.context().newPage()
  await visit(results, `/studio/acme/surveys/${id}/results`)
  await results.getByRole('link', { name: 'Detractors 1' }).waitFor()
  await results.close()

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('link', { name: 'cleo', exact: true }).waitFor()
  await conditions.getByRole('link', { name: /Detractors/ }).click()
  await page.getByRole('link', { name: 'ana', exact: true }).waitFor()
  await page.getByRole('link', { name: 'dan', exact: true }).click()
  await page.getByText('Would you recommend us?').waitFor()
  await isUsableInBothThemes(page)
})

/** Sends an answer of a person, as a client would. */
async function respond(
  studio: TestStudio,
  survey: string,
  person: string,
  properties: Record<string, unknown>,
): Promise<void> {
  const all = {
    $survey_id: survey,
    $survey_submission_id: `${survey} of ${person} ${JSON.stringify(properties)}`,
    $survey_completed: true,
    $set_once: { name: person },
    ...properties,
  }
  const event = anEvent({ event: 'survey sent', distinct_id: person, properties: all })
  expect(await send(studio, event)).toBe(200)
}

const respondedTo = async (studio: TestStudio, survey: string): Promise<number> => {
  const path = `/projects/acme/surveys/${survey}/results`
  const results = await askApi<{ submissions: { responded: number } }>(studio, 'POST', path, {})
  return results.submissions.responded
}

test('what people wrote is found with who wrote it, beside their score and the fields of the page', async () => {
  const studio = await shared(browser)
  const uses = {
    id: 'uses',
    kind: 'multiple-choice',
    text: 'What for?',
    hasOther: true,
    choices: ['Work', 'Other'],
  }
  const content = { questions: [...scoreAndReason.questions, uses], hiddenFields: ['ticket'] }
  const { id } = await askApi<{ id: string }>(studio, 'POST', '/projects/acme/surveys', {
    name: 'Words',
    content,
  })
  await askApi(studio, 'POST', `/projects/acme/surveys/${id}/launch`, {})
  await respond(studio, id, 'eva', {
    $survey_response_score: 9,
    $survey_response_why: 'Quick exports',
    $survey_response_uses: ['Work', 'Sailing'],
    ticket: '=T-1',
    $set: { name: 'Eva Engel', plan: 'pro' },
  })
  await respond(studio, id, 'eva', { $survey_response_score: 7, $survey_response_why: 'Fine' })
  await respond(studio, id, 'finn', { $survey_response_score: 3, $survey_response_why: 'No exports' })
  await expect.poll(() => respondedTo(studio, id)).toBe(3)
  const page = await openOwnerPage(studio)
  await visit(page, `/studio/acme/surveys/${id}/results`)
  await page.getByRole('link', { name: /^Quick exports Rated 9 Eva Engel/ }).waitFor()
  await page.getByText('Typed answers', { exact: true }).first().waitFor()
  await page.getByRole('link', { name: /^Sailing/ }).waitFor()
  await page.getByText('3 started').waitFor()
  await isUsable(page)

  await page.getByRole('searchbox', { name: 'Search answers' }).fill('exports')
  await page.getByText('2 started').waitFor()
  await page.getByRole('link', { name: /^Fine/ }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'See their responses' }).click()
  const table = page.getByRole('table', { name: 'Responses' })
  await table.getByRole('link', { name: 'finn' }).waitFor()
  await expect.poll(() => table.getByRole('row').count()).toBe(3)
  for (const name of ['1. Would you', '2. Why?', '3. What for?', 'ticket'])
    await table.getByRole('columnheader', { name }).waitFor()
  await table.getByRole('cell', { name: '=T-1' }).waitFor()
  await isUsable(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await table.getByText('3 · No exports').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  await page.setViewportSize({ width: 1280, height: 900 })

  await table.getByRole('link', { name: 'Eva Engel' }).click()
  await page.getByRole('heading', { name: 'Hidden fields' }).waitFor()
  await page.getByText('=T-1', { exact: true }).waitFor()
  await page.getByText('pro', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'Other responses of this person' }).waitFor()
  await page.getByText('7 · Fine').waitFor()
  const tags = page.getByRole('combobox', { name: 'Tags' })
  await tags.fill('praise')
  await chooseOption(page, /^praise/)
  await page.getByText('Tags saved').waitFor()
  await isUsableInBothThemes(page)
  await visit(page, `/studio/acme/surveys/${id}/responses`)
  await page.getByLabel('Tag', { exact: true }).click()
  await chooseOption(page, 'praise')
  await expect.poll(() => table.getByRole('row').count()).toBe(2)
  await table.getByText('praise', { exact: true }).waitFor()
  await isUsable(page)
})

test('a result becomes a card of a dashboard, which a shared link shows without anything personal', async () => {
  const studio = await shared(browser)
  const id = await anAnsweredSurvey(studio)
  const page = await openOwnerPage(studio)
  await visit(page, `/studio/acme/surveys/${id}/results`)
  const addCard = async (label: string) => {
    await page.getByRole('button', { name: 'Add to dashboard' }).click()
    await page.getByRole('menuitem', { name: label, exact: true }).click()
    return page.getByRole('dialog')
  }
  const first = await addCard('Would you recommend us?')
  const asksForName = first.getByLabel('Name of the new dashboard')
  if (!(await asksForName.isVisible())) {
    await first.getByLabel('Dashboard', { exact: true }).click()
    await chooseOption(page, 'New dashboard')
  }
  await asksForName.fill('Voices')
  await first.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Open dashboard' }).click()
  await page.getByRole('heading', { name: 'Voices' }).waitFor()
  const card = page.getByRole('region', { name: 'Would you recommend us?' })
  await card.getByText('NPS', { exact: true }).waitFor()
  await card.getByText('0', { exact: true }).first().waitFor()
  await isUsableInBothThemes(page)

  const board = new URL(page.url()).pathname.split('/').at(-1)
  const { path } = await askApi<{ path: string }>(studio, 'POST', '/projects/acme/shares', {
    subject: { kind: 'dashboard', id: board },
  })
  const guest = await (await browser.newContext()).newPage()
  await guest.goto(studio.address + path)
  await guest.getByText('NPS', { exact: true }).waitFor()
  const shown = await guest.content()
  for (const personal of ['Slow search', 'cleo', id]) expect(shown).not.toContain(personal)
  await guest.context().close()

  await respond(studio, id, 'gus', { $survey_response_score: 10 })
  await expect.poll(() => respondedTo(studio, id)).toBe(5)
  await card.getByRole('link', { name: 'Would you recommend us?' }).click()
  await page.getByRole('button', { name: 'Add to dashboard' }).waitFor()
})

test('answers on a scale that was changed are told apart, and what is gone keeps its answers and its name', async () => {
  const studio = await shared(browser)
  const score = (scale: number) => ({
    id: 'score',
    kind: 'rating',
    text: 'How was it?',
    display: 'number',
    scale,
  })
  const color = {
    id: 'color',
    kind: 'single-choice',
    text: 'Which color?',
    choices: [
      { id: 'r', text: 'Red' },
      { id: 'b', text: 'Blue' },
    ],
  }
  const gone = { id: 'gone', kind: 'single-choice', text: 'Asked before?', choices: ['Yes', 'No'] }
  const path = '/projects/acme/surveys'
  const input = { name: 'Changed', content: { questions: [score(5), color, gone] } }
  const { id } = await askApi<{ id: string }>(studio, 'POST', path, input)
  await askApi(studio, 'POST', `${path}/${id}/launch`, {})
  for (const person of ['ana', 'ben', 'cleo'])
    await respond(studio, id, person, {
      $survey_version: 1,
      $survey_response_score: 4,
      $survey_response_color: 'Red',
      $survey_response_gone: 'Yes',
    })
  const blue = { ...color, choices: [{ id: 'b', text: 'Blue' }] }
  await askApi(studio, 'PATCH', `${path}/${id}`, { content: { questions: [score(10), blue] } })
  await respond(studio, id, 'dan', {
    $survey_version: 2,
    $survey_response_score: 9,
    $survey_response_color: 'Blue',
  })
  await expect.poll(() => respondedTo(studio, id)).toBe(4)
  const page = await openOwnerPage(studio)
  await visit(page, `/studio/acme/surveys/${id}/results`)
  const panel = (name: string) => page.getByRole('region', { name })
  await panel('1. How was it?').getByText('100', { exact: true }).first().waitFor()
  await panel('1. How was it?').getByText('NPS', { exact: true }).waitFor()
  await panel('1. How was it?')
    .getByText(/^1 answer/)
    .waitFor()
  await page.getByRole('heading', { name: 'Asked earlier' }).waitFor()
  const earlier = page.getByRole('region', { name: 'How was it?', exact: true })
  await earlier.getByText('CSAT', { exact: true }).waitFor()
  await earlier.getByText('100%', { exact: true }).waitFor()
  await earlier.getByText(/^3 answers/).waitFor()
  await panel('2. Which color?').getByRole('link', { name: 'Removed choice (Red)', exact: true }).waitFor()
  await panel('Asked before?').getByRole('link', { name: 'Yes', exact: true }).waitFor()

  await visit(page, '/studio/acme/surveys')
  await page
    .getByRole('row', { name: /Changed/ })
    .getByText('NPS 100')
    .waitFor()
})

test('an alert on detractors is set up from the results', async () => {
  const studio = await shared(browser)
  const id = await anAnsweredSurvey(studio)
  const page = await openOwnerPage(studio)
  await visit(page, `/studio/acme/surveys/${id}/results`)
  await page.getByRole('button', { name: 'Alert' }).click()
  await page.getByRole('menuitem', { name: 'A detractor answers' }).click()
  await page.getByRole('heading', { name: 'New alert' }).waitFor()
  await expect
    .poll(() => page.getByLabel('Name', { exact: true }).inputValue())
    .toBe('A detractor answered: Recommendation')
  await isUsable(page)
  await page.getByRole('button', { name: 'Create alert' }).click()
  await page.getByRole('heading', { name: 'A detractor answered: Recommendation', exact: true }).waitFor()
})

test('a personal link is made, takes one answer, and is listed as answered', async () => {
  const studio = await shared(browser)
  const { id } = await askApi<{ id: string }>(studio, 'POST', '/projects/acme/surveys', {
    name: 'Recommendation',
    content: { questions: [{ id: 'why', kind: 'open', text: 'Why?' }] },
    placement: { kind: 'hosted' },
    hostedPage: { needsLink: true },
  })
  await askApi(studio, 'POST', `/projects/acme/surveys/${id}/launch`, {})
  const page = await openOwnerPage(studio)
  await visit(page, `/studio/acme/surveys/${id}/share`)
  await page.getByText('No links yet').waitFor()
  await isUsable(page)
  await page.getByRole('button', { name: 'New links…' }).click()
  await page.getByRole('button', { name: 'Create links' }).click()
  await page.getByText('Copy the links now').waitFor()
  const link = await page.getByRole('textbox', { name: 'Link', exact: true }).inputValue()
  await page.getByRole('img', { name: `QR code of ${link}` }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Done' }).click()
  const links = page.getByRole('table', { name: 'Personal links' })
  await links.getByText('Unused').waitFor()

  const recipient = await (await browser.newContext()).newPage()
  await recipient.goto(link)
  await recipient.getByRole('textbox', { name: 'Why?' }).fill('Fast')
  await recipient.getByRole('button', { name: 'Submit' }).click()
  await recipient.getByRole('textbox', { name: 'Why?' }).waitFor({ state: 'detached' })
  await recipient.goto(link)
  await recipient.getByText('This link was used already').waitFor()
  await recipient.context().close()

  await reload(page)
  await links.getByText('Answered', { exact: true }).last().waitFor()
  await isUsable(page)
})

/** From a template to its launch, as a member does it. */
async function launchedFromTemplate(page: Page, placement: string): Promise<string> {
  await visit(page, '/studio/acme/surveys/new')
  await page.getByRole('button', { name: /Customer satisfaction/ }).click()
  await page.getByRole('heading', { name: 'Customer satisfaction' }).waitFor()
  await page.getByRole('tab', { name: 'Targeting' }).click()
  await page.getByRole('radio', { name: placement }).check({ force: true })
  await saved(page)
  await page.getByRole('tab', { name: 'Launch' }).click()
  await page.getByRole('button', { name: 'Launch', exact: true }).click()
  await page.getByText('The survey is running.').waitFor()
  return new URL(page.url()).pathname.split('/').at(-1) ?? ''
}

/** Answers the template's questions wherever they stand. */
async function answerTemplate(visitor: Page, text: string): Promise<void> {
  await visitor.getByRole('radio', { name: '4 of 5' }).check({ force: true })
  await visitor.getByRole('button', { name: 'Next' }).click()
  await visitor.getByRole('textbox').last().fill(text)
  await visitor.getByRole('button', { name: 'Submit' }).click()
  await visitor.getByText('Thank you').waitFor()
}

async function aReader(javaScriptEnabled: boolean): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled, userAgent: readerAgent })
  onTestFinished(() => context.close())
  return context.newPage()
}

const readerAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

test('a template becomes a page and a block in a post, is answered with scripts and without, and is read in the results', async () => {
  const studio = await aStudio(browser)
  const page = await openOwnerPage(studio)
  const hosted = await launchedFromTemplate(page, 'Hosted page')
  await visit(page, `/studio/acme/surveys/${hosted}/share`)
  const address = await page.getByRole('textbox', { name: 'Page address' }).inputValue()
  for (const scripts of [true, false]) {
    const reader = await aReader(scripts)
    await reader.goto(address)
    await answerTemplate(reader, `On the page, scripts: ${scripts}`)
  }
  await readInResults(page, hosted, 'On the page')

  const inline = await launchedFromTemplate(page, 'Inline')
  const body = `Words.\n\n:::survey{survey="${inline}"}\n:::`
  const post = await askApi<{ id: string }>(studio, 'POST', '/projects/acme/posts', {
    kind: 'post',
    title: 'About figs',
    slug: 'figs',
    body,
  })
  await askApi(studio, 'POST', `/projects/acme/posts/${post.id}/publish`, {})
  for (const scripts of [true, false]) {
    const reader = await aReader(scripts)
    await expect.poll(async () => (await reader.goto(`${studio.address}/blog/figs`))?.status()).toBe(200)
    if (scripts) await reader.locator('[data-tilth-survey-form][data-begun]').waitFor()
    if (scripts) await wearsTheSite(reader)
    await answerTemplate(reader, `In the post, scripts: ${scripts}`)
  }
  await readInResults(page, inline, 'In the post')
})

/** The box has the font, the colours and the radius of the page around it, where that is light and where it is dark. */
async function wearsTheSite(reader: Page): Promise<void> {
  const backgrounds = new Set<string>()
  for (const colorScheme of ['light', 'dark'] as const) {
    await reader.emulateMedia({ colorScheme })
    const [box, around] = await reader
      .locator('[data-tilth-survey-form] .tilth-survey')
      .evaluate((survey) => {
        const lookOf = (element: Element) => {
          const { fontFamily, color, backgroundColor, borderTopLeftRadius } = getComputedStyle(element)
          return { fontFamily, color, backgroundColor, borderTopLeftRadius }
        }
        const probe = document.createElement('div')
        probe.style.cssText =
          'font-family:var(--site-font);color:var(--site-text);background:var(--site-surface);border-radius:var(--radius)'
        document.body.append(probe)
        const looks = [lookOf(survey), lookOf(probe)] as const
        probe.remove()
        return looks
      })
    expect(box).toEqual(around)
    backgrounds.add(box.backgroundColor)
  }
  expect(backgrounds.size).toBe(2)
}

/** Two responses of "4 of 5", with their texts. */
async function readInResults(page: Page, id: string, text: string): Promise<void> {
  await visit(page, `/studio/acme/surveys/${id}/results`)
  await expect
    .poll(async () => {
      await reload(page)
      const main = await page.getByRole('main').innerText()
      return ['100%', `${text}, scripts: true`, `${text}, scripts: false`].filter(
        (one) => !main.includes(one),
      )
    })
    .toEqual([])
}

test('the link of a survey is shown as a code, its test link marks answers, and pictures are uploaded', async () => {
  const studio = await shared(browser)
  const { id } = await askApi<{ id: string }>(studio, 'POST', '/projects/acme/surveys', {
    name: 'Tested',
    content: { questions: [{ id: 'why', kind: 'open', text: 'Why?' }] },
    placement: { kind: 'hosted' },
  })
  const page = await openOwnerPage(studio)
  await visit(page, `/studio/acme/surveys/${id}/share`)
  await page.getByRole('img', { name: /^QR code of http.*\/s\// }).waitFor()
  for (const [kind, start] of [
    ['SVG', '<svg xmlns'],
    ['PNG', '\u2030PNG'],
  ] as const) {
    const downloads = page.waitForEvent('download')
    await page.getByRole('button', { name: `QR code as ${kind}` }).click()
    const download = await downloads
    expect(download.suggestedFilename()).toBe(`survey-${id}.${kind.toLowerCase()}`)
    const bytes = readFileSync(await download.path())
    expect(new TextDecoder('windows-1252').decode(bytes.subarray(0, 10))).toContain(start)
  }
  await isUsableInBothThemes(page)

  const member = await aReader(true)
  await member.goto(await page.getByRole('textbox', { name: 'Test address' }).inputValue())
  await member.getByText('This is a test').waitFor()
  await member.getByRole('textbox', { name: 'Why?' }).fill('Only a test')
  await member.getByRole('button', { name: 'Submit' }).click()
  await member.getByText('Thank you.').waitFor()
  const responded = async (withTests: boolean) =>
    (
      await askApi<{ submissions: { responded: number } }>(
        studio,
        'POST',
        `/projects/acme/surveys/${id}/results`,
        { withTests },
      )
    ).submissions.responded
  await expect.poll(() => responded(true)).toBe(1)
  expect(await responded(false)).toBe(0)

  await visit(page, `/studio/acme/surveys/${id}`)
  await add(page, 'Picture choice', 'Which one?')
  const files = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload a picture of choice 1…' }).click()
  await (await files).setFiles({ name: 'red.png', mimeType: 'image/png', buffer: redPixel })
  const uploaded = page.getByRole('textbox', { name: 'Choice 1: image URL' })
  await expect.poll(() => uploaded.inputValue()).toMatch(/^\/_tilth\/images\//)
})

const redPixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
)
