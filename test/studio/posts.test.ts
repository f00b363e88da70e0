import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anObjectStorage } from '../outside/object-storage'
import { openBrowser } from '../pages/browser'
import {
  chooseOption,
  accessibilityViolations,
  violationsInBothThemes,
  aMember,
  aSharedStudio,
  askApi,
  aStudio,
  inAnotherProject,
  isUsable,
  openOwnerPage,
  type TestStudio,
  visit,
  waitForHydration,
} from './studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

/** For tests that each make things of their own. */
const shared = aSharedStudio()

const text = (page: Page) => page.getByLabel('Text', { exact: true })
const beside = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Side panel' }).getByRole('link', { name })

test('a post is written, looked at, published, and restored', async () => {
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
  await publishChanges(page)
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
  await page.getByRole('button', { name: 'Images' }).click()
  const dialog = page.getByRole('dialog', { name: 'Insert images' })
  bucket.faults.push(...Array.from({ length: 5 }, () => 'busy' as const))
  const answered = page.waitForResponse((response) => response.url().includes('/_tilth/uploads/'))
  await dialog.locator('input[type=file]').setInputFiles(picture)
  const answer = await answered
  expect([answer.status(), answer.headers()['retry-after']]).toEqual([503, '5'])
  await dialog.getByText('fox.png: The bucket that keeps pictures does not answer or refuses.').waitFor()
  await dialog.locator('input[type=file]').setInputFiles(picture)
  await dialog.getByLabel('Alt text of image 1').waitFor()
  await expect.poll(() => bucket.objects.size).toBe(1)
})

test('what two write at once is no one’s loss, and what was not saved is kept', async () => {
  const studio = await shared(browser)
  const page = await openOwnerPage(studio)
  const address = await aPost(page, 'Hello')
  await changeAtOnce(studio, page, address)
  await leaveUnsaved(page, address)

  const ben = await aMember(studio, 'viewer', 'Ben')
  await visit(ben, address)
  await text(ben).fill('Ben’s')
  await expect
    .poll(() => ben.getByRole('button', { name: /^Save/ }).getAttribute('aria-disabled'))
    .toBe('true')
})

test('a text is edited block by block, and what is not touched stays as it was written', async () => {
  const page = await openOwnerPage(await shared(browser))
  await aPost(page, 'In blocks')
  await text(page).fill('First *words*.\n\n| A | B |\n|---|--:|\n| 1 |2|\n')
  await page.keyboard.press('Control+/')
  const blocks = page.getByRole('region', { name: 'Text', exact: true })
  await blocks.locator('em', { hasText: 'words' }).waitFor()
  await blocks.getByLabel('Row 2, column 1').fill('one | more')
  await blocks.getByRole('button', { name: 'Add block' }).click()
  await focused(page, 'Paragraph, block 3 of 3')
  await page.keyboard.type('/callout')
  await blocks.getByRole('option', { name: /^Note/ }).waitFor()
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.keyboard.press('Enter')
  await focused(page, 'Note, block 3 of 3')
  await page.keyboard.press('Alt+Shift+ArrowUp')
  await focused(page, 'Note, block 2 of 3')

  const written = (note: string) => `First *words*.\n\n${note}| A | B |\n|---|--:|\n| one \\| more |2|\n`
  await page.keyboard.press('Control+/')
  const note = ':::note{title="Before you begin"}\nYou need Node 22.\n:::\n\n'
  await expect.poll(() => text(page).inputValue()).toBe(written(note))
  await page.keyboard.press('Control+/')
  await focused(page, 'Note, block 2 of 3')
  await blocks.getByRole('button', { name: 'Options of Note, block 2 of 3' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await focused(page, 'Row 1, column 1')
  await page.keyboard.press('Control+/')
  await expect.poll(() => text(page).inputValue()).toBe(written(''))
})

test('a project’s site is opened at its preview address until it has a URL, beside another project’s', async () => {
  const studio = await shared(browser)
  const page = await openOwnerPage(studio)
  const garden = inAnotherProject(studio)
  await visit(page, `/studio/${garden.slug}/site/design`)
  const opens = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'View site' }).click()
  const site = await opens
  const isForeign = () =>
    site.locator(`link[rel=canonical][href="${new URL(site.url()).origin}"]`).waitFor({ state: 'attached' })
  await isForeign()
  expect(new URL(site.url()).hostname).toBe(`${garden.slug}.localhost`)

  const url = new URL(site.url())
  url.hostname = 'herbs.localhost'
  await page.getByLabel('URL', { exact: true }).fill(url.origin)
  await page.getByRole('button', { name: 'Save site' }).click()
  await page.getByText('Site saved').waitFor()
  await site.goto(url.href)
  await isForeign()
  await visit(page, '/studio/acme/site/design')
  await page.getByLabel('URL', { exact: true }).fill(url.origin)
  await page.getByRole('button', { name: 'Save site' }).click()
  await page.getByText('Another project’s site is at this URL.').waitFor()
})

test('members preview the site of a project at the studio’s own host, without scripts, forms and a view', async () => {
  const studio = await shared(browser)
  const garden = inAnotherProject(studio)
  const posts = `/projects/${garden.slug}/posts`
  const post = { kind: 'post', title: 'Beds in spring', slug: 'beds', body: 'Dig **early**.' }
  const { id } = await askApi<{ id: string }>(studio, 'POST', posts, post, garden.secretKey)
  await askApi(studio, 'POST', `${posts}/${id}/publish`, {}, garden.secretKey)
  const page = await openOwnerPage(studio)
  const root = `/_tilth/site-preview/${garden.slug}`
  const link = page.getByRole('link', { name: 'Beds in spring' }).first()
  const list = async () => {
    const answer = await page.goto(`${studio.address}${root}/blog`)
    expect(answer?.headers()['content-security-policy']).toContain('sandbox allow-same-origin')
    return await link.isVisible()
  }
  await expect.poll(list).toBe(true)
  await link.click()
  await page.waitForURL(`**${root}/blog/beds`)
  await page.getByText('Dig early.').waitFor()
  expect(await page.evaluate(() => document.styleSheets.length)).toBeGreaterThan(0)
  await page.context().clearCookies()
  expect((await page.goto(`${studio.address}${root}/blog`))?.status()).toBe(401)
})

test('a site has authors, redirects, and a look of its own', async () => {
  const studio = await shared(browser)
  const page = await openOwnerPage(studio)
  await keepAuthors(page, inAnotherProject(studio).slug)
  await keepRedirects(page)
  await changeTheLook(page)
  await changeAText(page)
})

async function aPost(page: Page, title: string): Promise<string> {
  await visit(page, '/studio/acme/site/posts/new')
  await page.getByLabel('Title').fill(title)
  await page.getByRole('button', { name: 'Start writing' }).click()
  await page.getByRole('button', { name: 'Publish…' }).waitFor()
  await waitForHydration(page)
  return new URL(page.url()).pathname
}

async function begin(page: Page) {
  await visit(page, '/studio/acme/site/posts')
  await page.getByText('No posts yet').waitFor()
  await page.getByRole('link', { name: 'New post' }).first().click()
  await page.getByRole('heading', { name: 'New post' }).waitFor()
  await waitForHydration(page)
  await expect
    .poll(() => page.getByLabel('Title').evaluate((field) => field === document.activeElement))
    .toBe(true)
  await page.keyboard.type('What we learned')
  await page.getByLabel('URL slug').fill('Not good')
  await page.getByRole('button', { name: 'Start writing' }).click()
  await page.getByText('Use lower-case letters').waitFor()
  await page.getByLabel('URL slug').fill('')
  await page.getByRole('button', { name: 'Start writing' }).click()
  await page.getByRole('button', { name: 'Publish…' }).waitFor()
  await waitForHydration(page)
}

/** With the keyboard alone, and with the buttons. */
async function write(page: Page) {
  await text(page).fill('A small beginning')
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Control+B')
  await expect.poll(() => text(page).inputValue()).toBe('**A small beginning**')
  await page.getByRole('article', { name: 'Preview' }).locator('strong').waitFor()

  await page.keyboard.press('Control+End')
  await page.keyboard.type('\n\n- one\ntwo\n')
  await expect.poll(() => text(page).inputValue()).toBe('**A small beginning**\n\n- one\n- two\n- ')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Three')
  await page.getByRole('button', { name: 'Heading' }).click()
  await expect.poll(() => text(page).inputValue()).toMatch(/- two\n## Three$/)
  await page.keyboard.press('Control+Z')
  await expect.poll(() => text(page).inputValue()).toMatch(/- two\nThree$/)

  await page.keyboard.press('Control+End')
  await page.getByRole('button', { name: 'Blocks', exact: true }).click()
  await page.getByRole('menuitem', { name: /^Tip/ }).click()
  await expect.poll(() => text(page).inputValue()).toContain('Three\n\n:::tip\n')
  await page.getByText('All changes saved').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByText('Saved', { exact: true }).waitFor()
  await isUsable(page)
}

async function insertAPicture(page: Page) {
  const fox = { width: 40, height: 30, channels: 3, background: '#b5651d' } as const
  const buffer = await sharp({ create: fox }).png().toBuffer()
  await page.getByRole('button', { name: 'Images…' }).click()
  const dialog = page.getByRole('dialog')
  const input = dialog.locator('input[type=file]')
  await input.setInputFiles({ name: 'words.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await dialog.getByText(/^words\.png: /).waitFor()
  await input.setInputFiles({ name: 'fox.png', mimeType: 'image/png', buffer })
  await dialog.getByLabel('Alt text of image 1').fill('A fox')
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Insert' }).click()
  await expect.poll(() => text(page).inputValue()).toMatch(/!\[A fox\]\(\/_tilth\/images\/[\w.]+#40x30\)/)
  await page.getByRole('article', { name: 'Preview' }).getByAltText('A fox').waitFor()
}

/** The picture that was uploaded before, this time for the cover. */
async function chooseACover(page: Page) {
  await page.getByRole('button', { name: 'From library…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Choose a cover' })
  await dialog.getByLabel('Find an image').fill('nothing like it')
  await dialog.getByText('No image matches.').waitFor()
  await dialog.getByLabel('Find an image').fill('fox')
  await dialog.getByRole('button', { name: /^fox/ }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: /^fox/ }).click()
  await page.getByLabel('Alt text of the cover').fill('A fox')
}

async function describe(page: Page) {
  await beside(page, 'Settings').click()
  await page.getByLabel('Excerpt').fill('It was quiet.')
  await page.getByRole('figure').getByText('It was quiet.').waitFor()
  await chooseACover(page)
  await page.getByPlaceholder('Add tag').fill('News')
  await chooseOption(page, /^News/)
  await page.getByLabel('Canonical URL').fill('nowhere')
  await page.keyboard.press('Control+s')
  await page.getByText('Give an address that begins with "https://".').first().waitFor()
  await page.getByLabel('Canonical URL').fill('')
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
  await expect.poll(() => link.inputValue()).toContain('/blog/what-we-learned?preview=')
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
  await page.getByText('No result before each variant was shown to 100 people.').waitFor()
  await isUsable(page)
  await page.getByRole('button', { name: 'Pick a winner' }).click()
  await page.getByRole('menuitem', { name: /^Variant B/ }).click()
  await page.getByRole('button', { name: 'Choose winner' }).click()
  await page.getByText('Variant B won').waitFor()
  await expect.poll(() => page.getByLabel('Title', { exact: true }).inputValue()).toBe('How it began')
}

async function bringBack(page: Page) {
  await page.getByRole('button', { name: 'More about How it began' }).click()
  await page.getByRole('menuitem', { name: 'History' }).click()
  await page.getByRole('heading', { name: 'History' }).waitFor()
  await page.getByRole('insertion').getByText('How it began').waitFor()
  const version = await oldestVersionWith(page, '**A small beginning**')
  await isUsable(page)
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('button', { name: 'Restore version' }).click()
  await page.getByText(`Back to version ${version}.`).waitFor()
}

/** Opens it and returns its number: pauses in writing decide how many versions there are. */
async function oldestVersionWith(page: Page, written: string): Promise<number> {
  const names = await page.getByRole('link', { name: /^Version \d+$/ }).allTextContents()
  for (const name of names.toReversed()) {
    await page.getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { name: new RegExp(`^${name}\\b`) }).waitFor()
    const shown = page.getByRole('region', { name: 'The text' }).getByText(written)
    if ((await shown.count()) > 0) return Number(name.replace('Version ', ''))
  }
  throw new Error(`No version has “${written}”.`)
}

/** Readers see the published text until the changes are published. */
async function publishChanges(page: Page) {
  const shown = async () => await (await fetch(new URL('/blog/what-we-learned', page.url()))).text()
  await page.getByRole('link', { name: 'How it began' }).click()
  await page.getByText('Unpublished changes', { exact: true }).waitFor()
  await waitForHydration(page)
  expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('What we learned')
  expect(await shown()).toContain('How it began')
  await page.getByRole('button', { name: 'More about What we learned' }).click()
  await page.getByRole('menuitem', { name: 'Discard changes' }).click()
  await page.getByText('Changes discarded').waitFor()
  await expect.poll(() => page.getByLabel('Title', { exact: true }).inputValue()).toBe('How it began')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => page.getByLabel('Title', { exact: true }).inputValue()).toBe('What we learned')
  await page.getByText('Unpublished changes', { exact: true }).waitFor()
  await isUsable(page)
  await page.getByRole('button', { name: 'Publish changes' }).click()
  await page.getByText('Changes published').waitFor()
  await page.getByText('Unpublished changes', { exact: true }).waitFor({ state: 'detached' })
  await expect.poll(shown).not.toContain('How it began')
}

test('a post saves itself, has its writer as author, and its history has one version of a series', async () => {
  const studio = await shared(browser)
  const page = await openOwnerPage(studio)
  const address = await aPost(page, 'Saved by itself')
  await text(page).fill('One.')
  await page.getByText('All changes saved').waitFor()
  // a space at the end is not taken away from under the writer
  await text(page).press('End')
  await page.keyboard.type(' Two. ')
  await page.getByText('All changes saved').waitFor()
  await page.keyboard.type('Three.')
  await page.getByText('All changes saved').waitFor()
  expect(await text(page).inputValue()).toBe('One. Two. Three.')

  const other = await openOwnerPage(studio)
  await visit(other, address)
  await expect.poll(() => text(other).inputValue()).toBe('One. Two. Three.')
  const number = address.split('/').at(-1)
  const { authors } = await askApi<{ authors: string[] }>(studio, 'GET', `/projects/acme/posts/${number}`)
  expect(authors).toEqual(['ana'])
  await visit(other, `/studio/acme/site/posts/history/${number}`)
  await other.getByText('Saved automatically').waitFor()
  expect(await other.getByRole('link', { name: /^Version \d+$/ }).count()).toBe(2)
})

async function archive(page: Page) {
  await page.getByRole('button', { name: 'More about What we learned' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await page.getByText('“What we learned” archived').waitFor()
  await visit(page, '/studio/acme/site/posts?state=archived')
  await isUsable(page)
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByText('No posts match these filters.').waitFor()
  await page.getByRole('link', { name: /^All/ }).click()
  await page.getByRole('link', { name: 'What we learned' }).waitFor()
  await page.getByLabel('Find a post').fill('nothing like it')
  await page.getByRole('link', { name: 'What we learned' }).waitFor({ state: 'detached' })
  await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe('nothing like it')
}

async function changeAtOnce(studio: TestStudio, page: Page, address: string) {
  const other = await openOwnerPage(studio)
  await visit(other, address)
  await text(other).fill('Theirs')
  await other.keyboard.press('Control+s')
  await other.getByText('Saved', { exact: true }).waitFor()

  await text(page).fill('Mine')
  await page.keyboard.press('Control+s')
  await page.getByText(/^(?!Another member).+ changed this post$/).waitFor()
  await page
    .getByRole('listitem')
    .filter({ hasText: /^Text$/ })
    .waitFor()
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await page.keyboard.press('Control+s')
  await page.getByText('Saved', { exact: true }).waitFor()
  await visit(other, address)
  await expect.poll(() => text(other).inputValue()).toBe('Mine')
}

async function leaveUnsaved(page: Page, address: string) {
  const isSave = (url: URL) => url.pathname === new URL(address, page.url()).pathname
  await page.route(isSave, (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await text(page).fill('Mine, and more')
  await page.getByText('Not saved, draft kept in this browser').waitFor()
  await page.getByRole('link', { name: 'Posts' }).last().click()
  await page.getByRole('alertdialog').getByText('Leave without saving?').waitFor()
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('link', { name: 'Posts' }).last().click()
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('heading', { name: 'Posts' }).waitFor()

  await page.unroute(isSave)
  await visit(page, address)
  await expect.poll(() => text(page).inputValue()).toBe('Mine')
  await page.getByText('Unsaved draft found').waitFor()
  await isUsable(page)
  await page.getByRole('button', { name: 'Restore draft' }).click()
  await expect.poll(() => text(page).inputValue()).toBe('Mine, and more')
  await page.keyboard.press('Control+s')
  await page.getByText('Saved', { exact: true }).waitFor()
}

const focused = async (page: Page, name: string) =>
  await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe(name)

async function keepAuthors(page: Page, slug: string) {
  await visit(page, `/studio/${slug}/site/posts/authors`)
  await page.getByRole('button', { name: 'New author…' }).click()
  await page.getByLabel('Name').fill('Zoë Lima')
  await page.getByRole('button', { name: 'Add a link' }).click()
  await page.getByLabel('Text of link 1').fill('Home')
  await page.getByLabel('URL of link 1').fill('https://zoe.example')
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Add author' }).click()
  await page.getByText('zoe-lima').waitFor()
  await page.getByRole('button', { name: 'Change Zoë Lima' }).click()
  await expect.poll(() => page.getByLabel('URL of link 1').inputValue()).toBe('https://zoe.example')
  await page.getByLabel('Bio').fill('Writes.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('cell', { name: 'Writes.' }).waitFor()
  await isUsable(page)
  await page.getByRole('button', { name: 'Remove Zoë Lima' }).click()
  await page.getByRole('button', { name: 'Remove author' }).click()
  await page.getByText('No authors yet').waitFor()
}

async function keepRedirects(page: Page) {
  await visit(page, '/studio/acme/site/design/redirects')
  await redirect(page, '/old', '/blog')
  await page.getByRole('cell', { name: '/old', exact: true }).waitFor()
  await redirect(page, '/older', '/old')
  await page.getByText('“/old” is redirected itself').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await isUsable(page)
  await page.getByRole('button', { name: 'Remove redirect from /old', exact: true }).click()
  await page.getByRole('button', { name: 'Remove redirect', exact: true }).click()
  await page.getByText('No redirects').waitFor()
}

async function redirect(page: Page, from: string, to: string) {
  await page.getByRole('button', { name: 'New redirect…' }).click()
  await page.getByLabel('From', { exact: true }).fill(from)
  await page.getByLabel('To', { exact: true }).fill(to)
  await page.getByRole('button', { name: 'Add redirect' }).click()
}

async function changeTheLook(page: Page) {
  await visit(page, '/studio/acme/site/design')
  await page.getByLabel('Accent', { exact: true }).fill('#ffe000')
  await page.getByText('too low for text. The site uses a darker shade.').waitFor()
  await page.getByRole('radio', { name: /^Cards/ }).click()
  await page.getByRole('radio', { name: 'Wide', exact: true }).click()
  await page.getByRole('button', { name: 'Add meta tag' }).click()
  await page.getByLabel('Name of meta tag 1').fill('<meta name="google-site-verification" content="a1" />')
  await expect.poll(() => page.getByLabel('Content of meta tag 1').inputValue()).toBe('a1')
  await page.getByRole('button', { name: 'Add a link' }).click()
  await page.getByLabel('Text of link 2').fill('About')
  await page.getByLabel('URL of link 2').fill('about')
  await page.getByRole('button', { name: 'Move link 2 up' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByLabel('Text of link 1').inputValue()).toBe('About')
  await page.getByRole('button', { name: 'Save site' }).click()
  await page.getByText('Begin the address with "/"').waitFor()
  await page.getByLabel('URL of link 1').fill('/about')
  await isUsable(page)
  await page.getByRole('button', { name: 'Save site' }).click()
  await page.getByText('Site saved').waitFor()
  await visit(page, '/studio/acme/site/design')
  await expect.poll(() => page.getByLabel('Text of link 1').inputValue()).toBe('About')
  await expect.poll(() => page.getByLabel('Accent', { exact: true }).inputValue()).toBe('#ffe000')
}

async function changeAText(page: Page) {
  const texts = page.getByRole('region', { name: 'Texts' })
  await texts.getByRole('combobox', { name: 'Text to change' }).fill('Search this')
  await chooseOption(page, 'Search this site')
  await texts.getByLabel('Search this site', { exact: true }).fill('Find {what}')
  await page.getByRole('button', { name: 'Save site' }).click()
  await page.getByText('"{what}" is not filled in here; known: none.').waitFor()
  await texts.getByLabel('Search this site', { exact: true }).fill('Find a story')
  await isUsable(page)
  await page.getByRole('button', { name: 'Save site' }).click()
  await page.getByRole('button', { name: 'Save site' }).waitFor({ state: 'hidden' })
  const missing = async () => await (await fetch(new URL('/blog/missing', page.url()))).text()
  await expect.poll(missing).toContain('Find a story')
  await expect.poll(missing).toContain('data-width="wide"')
  const home = async () => await (await fetch(new URL('/', page.url()))).text()
  await expect.poll(home).toContain('<meta name="google-site-verification" content="a1"')
}
