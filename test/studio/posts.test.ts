import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anObjectStorage } from '../object-storage'
import { openBrowser } from '../pages/browser'
import {
  aMember,
  openOwnerPage,
  askApi,
  aStudio,
  accessibilityViolations,
  horizontalOverflow,
  type TestStudio,
  waitForHydration,
  visit,
} from './studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

async function isUsable(page: Page) {
  expect(await accessibilityViolations(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await horizontalOverflow(page)).toBe(0)
  await page.setViewportSize({ width: 1280, height: 900 })
}

const text = (page: Page) => page.getByLabel('Text', { exact: true })
const beside = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Beside the text' }).getByRole('link', { name })

test('a post is written, looked at, published, and brought back', async () => {
  const studio = await aStudio(browser)
  await askApi(studio, 'PATCH', '/projects/acme', { timeZone: 'Europe/Berlin' })
  const page = await openOwnerPage(studio)
  await begin(page)
  await write(page)
  await insertAPicture(page)
  await describe(page)
  await schedule(page)
  await publish(page)
  await tryHeadlines(page)
  await bringBack(page)
  await archive(page)
})

test('a picture that the bucket does not take is kept out with the reason, and taken once the bucket is back', async () => {
  const bucket = await anObjectStorage()
  const studio = await aStudio(browser, {
    TILTH_UPLOADS: `s3://${bucket.bucket}/pictures`,
    TILTH_S3_ENDPOINT: bucket.origin,
    TILTH_S3_REGION: bucket.region,
    TILTH_S3_KEY: bucket.accessKey,
    TILTH_S3_SECRET: bucket.secretKey,
  })
  const page = await openOwnerPage(studio)
  await begin(page)
  const image = sharp({ create: { width: 40, height: 30, channels: 3, background: '#00804c' } })
  const picture = { name: 'fox.png', mimeType: 'image/png', buffer: await image.png().toBuffer() }
  await page.getByRole('button', { name: 'Picture' }).click()
  const dialog = page.getByRole('dialog', { name: 'Insert pictures' })
  bucket.faults.push(...Array.from({ length: 5 }, () => 'busy' as const))
  const answered = page.waitForResponse((response) => response.url().includes('/_tilth/uploads/'))
  await dialog.locator('input[type=file]').setInputFiles(picture)
  const answer = await answered
  expect([answer.status(), answer.headers()['retry-after']]).toEqual([503, '5'])
  await dialog.getByText('fox.png: The bucket that keeps pictures does not answer or refuses.').waitFor()
  await dialog.locator('input[type=file]').setInputFiles(picture)
  await dialog.getByLabel('What picture 1 shows').waitFor()
  expect(bucket.objects.size).toBe(1)
})

test('what two write at once is nobody’s loss, and what was not saved is kept', async () => {
  const studio = await aStudio(browser)
  const page = await openOwnerPage(studio)
  const address = await aPost(page, 'Hello')
  await changeAtOnce(studio, page, address)
  await leaveUnsaved(page, address)

  const ben = await aMember(studio, 'viewer', 'Ben')
  await visit(ben, address)
  await text(ben).fill('Ben’s')
  expect(await ben.getByRole('button', { name: /^Save/ }).getAttribute('aria-disabled')).toBe('true')
})

test('a site has authors, redirects, and a look of its own', async () => {
  const studio = await aStudio(browser)
  const page = await openOwnerPage(studio)
  await keepAuthors(page)
  await keepRedirects(page)
  await changeTheLook(page)
})

async function aPost(page: Page, title: string): Promise<string> {
  await visit(page, '/studio/acme/posts/new')
  await page.getByLabel('Title').fill(title)
  await page.getByRole('button', { name: 'Start writing' }).click()
  await page.getByRole('button', { name: 'Publish…' }).waitFor()
  await waitForHydration(page)
  return new URL(page.url()).pathname
}

async function begin(page: Page) {
  await visit(page, '/studio/acme/posts')
  await page.getByText('No post yet').waitFor()
  await page.getByRole('link', { name: 'New post' }).first().click()
  await page.getByRole('heading', { name: 'New post' }).waitFor()
  await waitForHydration(page)
  await page.getByLabel('Title').fill('What we learned')
  await page.getByLabel('Address').fill('Not good')
  await page.getByRole('button', { name: 'Start writing' }).click()
  await page.getByText('Use lower-case letters').waitFor()
  await page.getByLabel('Address').fill('')
  await page.getByRole('button', { name: 'Start writing' }).click()
  await page.getByRole('button', { name: 'Publish…' }).waitFor()
  await waitForHydration(page)
}

/** With the keyboard alone, and with the buttons. */
async function write(page: Page) {
  await text(page).fill('A small beginning')
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Control+B')
  expect(await text(page).inputValue()).toBe('**A small beginning**')
  await page.getByRole('article', { name: 'Preview' }).locator('strong').waitFor()

  await page.keyboard.press('Control+End')
  await page.keyboard.type('\n\n- one\ntwo\n')
  expect(await text(page).inputValue()).toBe('**A small beginning**\n\n- one\n- two\n- ')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Three')
  await page.getByRole('button', { name: 'Heading' }).click()
  expect(await text(page).inputValue()).toMatch(/- two\n## Three$/)
  await page.keyboard.press('Control+Z')
  expect(await text(page).inputValue()).toMatch(/- two\nThree$/)

  await page.keyboard.press('Control+End')
  await page.getByRole('button', { name: 'Blocks' }).click()
  await page.getByRole('menuitem', { name: /^Tip/ }).click()
  expect(await text(page).inputValue()).toContain('Three\n\n:::tip\n')
  await page.getByText('Not saved, kept in this browser').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByText('Saved', { exact: true }).waitFor()
  await isUsable(page)
}

async function insertAPicture(page: Page) {
  const fox = { width: 40, height: 30, channels: 3, background: '#b5651d' } as const
  const buffer = await sharp({ create: fox }).png().toBuffer()
  await page.getByRole('button', { name: 'Pictures…' }).click()
  const dialog = page.getByRole('dialog')
  const input = dialog.locator('input[type=file]')
  await input.setInputFiles({ name: 'words.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await dialog.getByText(/^words\.png: /).waitFor()
  await input.setInputFiles({ name: 'fox.png', mimeType: 'image/png', buffer })
  await dialog.getByLabel('What picture 1 shows').fill('A fox')
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Insert' }).click()
  expect(await text(page).inputValue()).toMatch(/!\[A fox\]\(\/_tilth\/images\/[\w.]+\)/)
  await page.getByRole('article', { name: 'Preview' }).getByAltText('A fox').waitFor()
}

async function describe(page: Page) {
  await beside(page, 'Settings').click()
  await page.getByLabel('Excerpt').fill('It was quiet.')
  await page.getByRole('figure').getByText('It was quiet.').waitFor()
  await page.getByPlaceholder('Add a tag').fill('News')
  await page.getByRole('option', { name: /^News/ }).click()
  await page.getByLabel('First published at').fill('nowhere')
  await page.keyboard.press('Control+s')
  await page.getByText('Give an address that begins with "https://".').first().waitFor()
  await page.getByLabel('First published at').fill('')
  await page.keyboard.press('Control+s')
  await page.getByText('Not saved').waitFor({ state: 'detached' })
  await isUsable(page)
}

/** In Berlin, clocks go from 2:00 to 3:00 on the last Sunday of March. */
async function schedule(page: Page) {
  await page.getByRole('button', { name: 'Publish…' }).click()
  await page.getByRole('radio', { name: /^Later/ }).click()
  await page.getByLabel('Day and time').fill('2099-03-29T02:30')
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Schedule' }).click()
  await page.getByText('The clocks of Europe/Berlin skip 02:30 on that day: it appears at 03:30.').waitFor()
  await page.getByText('for 29 Mar 2099, 03:30').waitFor()
}

async function publish(page: Page) {
  await page.getByRole('button', { name: 'When…' }).click()
  await page.getByRole('radio', { name: /^Now/ }).click()
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.getByText('“What we learned” is published').waitFor()
  await page.getByText('Published', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'More about What we learned' }).click()
  await page.getByRole('menuitem', { name: 'Preview link…' }).click()
  const link = page.getByRole('textbox', { name: 'Link', exact: true })
  expect(await link.inputValue()).toContain('/blog/what-we-learned?preview=')
  await page.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('button', { name: 'More about What we learned' }).click()
  await page.getByRole('menuitem', { name: 'Unpublish' }).click()
  await page.getByText('“What we learned” is a draft again').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('“What we learned” is published again').waitFor()
}

async function tryHeadlines(page: Page) {
  await beside(page, 'Readers').click()
  await page.getByText('No readers in this period').waitFor()
  await isUsable(page)
  await beside(page, 'Headlines').click()
  await page.getByLabel('Title of B').fill('How it began')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByText('Nothing is said before each was shown to 100 people.').waitFor()
  await isUsable(page)
  await page.getByRole('button', { name: 'Pick a winner' }).click()
  await page.getByRole('menuitem', { name: /^Variant B/ }).click()
  await page.getByRole('button', { name: 'Let it win' }).click()
  await page.getByText('Variant B won').waitFor()
  expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('How it began')
}

async function bringBack(page: Page) {
  await page.getByRole('button', { name: 'More about How it began' }).click()
  await page.getByRole('menuitem', { name: 'History' }).click()
  await page.getByRole('heading', { name: 'History' }).waitFor()
  await page.getByRole('insertion').getByText('How it began').waitFor()
  await page.getByRole('link', { name: 'Version 1', exact: true }).click()
  await page.getByRole('heading', { name: 'Version 1', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Version 2', exact: true }).click()
  await page.getByRole('region', { name: 'The text' }).getByText('**A small beginning**').waitFor()
  await isUsable(page)
  await page.getByRole('button', { name: 'Bring back' }).click()
  await page.getByRole('button', { name: 'Bring it back' }).click()
  await page.getByText('Back to version 2.').waitFor()
}

async function archive(page: Page) {
  await page.getByRole('link', { name: 'What we learned' }).click()
  await page.getByRole('button', { name: 'More about What we learned' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await page.getByText('“What we learned” is archived').waitFor()
  await visit(page, '/studio/acme/posts?state=archived')
  await isUsable(page)
  await page.getByRole('button', { name: 'Bring back' }).click()
  await page.getByText('Nothing fits.').waitFor()
  await page.getByRole('link', { name: /^All/ }).click()
  await page.getByRole('link', { name: 'What we learned' }).waitFor()
  await page.getByLabel('Find a post').fill('nothing like it')
  await page.getByRole('link', { name: 'What we learned' }).waitFor({ state: 'detached' })
  expect(new URL(page.url()).searchParams.get('search')).toBe('nothing like it')
}

async function changeAtOnce(studio: TestStudio, page: Page, address: string) {
  const other = await openOwnerPage(studio)
  await visit(other, address)
  await text(other).fill('Theirs')
  await other.keyboard.press('Control+s')
  await other.getByText('Saved', { exact: true }).waitFor()

  await text(page).fill('Mine')
  await page.keyboard.press('Control+s')
  await page.getByText('Another member saved this').waitFor()
  await page.getByText('They changed: text.').waitFor()
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await page.keyboard.press('Control+s')
  await page.getByText('Saved', { exact: true }).waitFor()
  await visit(other, address)
  expect(await text(other).inputValue()).toBe('Mine')
}

async function leaveUnsaved(page: Page, address: string) {
  await text(page).fill('Mine, and more')
  await page.getByText('Not saved, kept in this browser').waitFor()
  await page.getByRole('link', { name: 'Posts' }).last().click()
  await page.getByRole('alertdialog').getByText('Leave without saving?').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('link', { name: 'Posts' }).last().click()
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('heading', { name: 'Posts' }).waitFor()

  await visit(page, address)
  expect(await text(page).inputValue()).toBe('Mine')
  await page.getByText('Something you wrote here was not saved').waitFor()
  await isUsable(page)
  await page.getByRole('button', { name: 'Take it up again' }).click()
  expect(await text(page).inputValue()).toBe('Mine, and more')
  await page.keyboard.press('Control+s')
  await page.getByText('Saved', { exact: true }).waitFor()
}

async function keepAuthors(page: Page) {
  await visit(page, '/studio/acme/posts/authors')
  await page.getByRole('button', { name: 'New author…' }).click()
  await page.getByLabel('Name').fill('Zoë Lima')
  await page.getByRole('button', { name: 'Add a link' }).click()
  await page.getByLabel('Words of link 1').fill('Home')
  await page.getByLabel('Address of link 1').fill('https://zoe.example')
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Add the author' }).click()
  await page.getByText('zoe-lima').waitFor()
  await page.getByRole('button', { name: 'Change Zoë Lima' }).click()
  expect(await page.getByLabel('Address of link 1').inputValue()).toBe('https://zoe.example')
  await page.getByLabel('About them').fill('Writes.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('cell', { name: 'Writes.' }).waitFor()
  await isUsable(page)
  await page.getByRole('button', { name: 'Remove Zoë Lima' }).click()
  await page.getByRole('button', { name: 'Remove the author' }).click()
  await page.getByText('No author yet').waitFor()
}

async function keepRedirects(page: Page) {
  await visit(page, '/studio/acme/posts/redirects')
  await redirect(page, '/old', '/blog')
  await page.getByRole('cell', { name: '/old', exact: true }).waitFor()
  await redirect(page, '/older', '/old')
  await page.getByText('“/old” is redirected itself').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await isUsable(page)
  await page.getByRole('button', { name: 'Remove the redirect from /old', exact: true }).click()
  await page.getByRole('button', { name: 'Remove the redirect', exact: true }).click()
  await page.getByText('No redirects').waitFor()
}

async function redirect(page: Page, from: string, to: string) {
  await page.getByRole('button', { name: 'New redirect…' }).click()
  await page.getByLabel('From', { exact: true }).fill(from)
  await page.getByLabel('To', { exact: true }).fill(to)
  await page.getByRole('button', { name: 'Add the redirect' }).click()
}

async function changeTheLook(page: Page) {
  await visit(page, '/studio/acme/posts/site')
  await page.getByLabel('Accent', { exact: true }).fill('#ffe000')
  await page.getByText('too little for words. The site uses a darker shade of it.').waitFor()
  await page.getByRole('radio', { name: /^Cards/ }).click()
  await page.getByRole('button', { name: 'Add a link' }).click()
  await page.getByLabel('Words of link 2').fill('About')
  await page.getByLabel('Address of link 2').fill('about')
  await page.getByRole('button', { name: 'Move link 2 up' }).focus()
  await page.keyboard.press('Enter')
  expect(await page.getByLabel('Words of link 1').inputValue()).toBe('About')
  await page.getByRole('button', { name: 'Save the site' }).click()
  await page.getByText('Begin the address with "/"').waitFor()
  await page.getByLabel('Address of link 1').fill('/about')
  await isUsable(page)
  await page.getByRole('button', { name: 'Save the site' }).click()
  await page.getByText('The site is saved').waitFor()
  await visit(page, '/studio/acme/posts/site')
  expect(await page.getByLabel('Words of link 1').inputValue()).toBe('About')
  expect(await page.getByLabel('Accent', { exact: true }).inputValue()).toBe('#ffe000')
}
