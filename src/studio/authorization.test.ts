import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CallGraph } from '#test/rules/call-graph'
import { expectPrintedTable, tableOf } from '#test/rules/printed-table'
import { codeIn, isTest } from '#test/rules/source-files'

/** The only function that sends a caller without a session to the sign-in page. */
const requiresViewer = 'src/studio/viewer.ts#requireViewer'

/** Pages, routes and actions that anyone may call, with the reason: a folder (with a slash), a file or an action. */
const open: Record<string, string> = {
  'app/(site)/': 'The published site, which every visitor may read.',
  'app/(share)/share/[token]/': 'The token of the share is the proof; `shares` checks it, and its password.',
  'studio/shared-pages/unlock.ts':
    'The token of the share is the proof; `shares` checks it, and its password.',
  'studio/shell/appearance.ts#chooseTheme': 'It sets a cookie with the theme of this browser.',
  'app/studio/(sign-in)/forgot/':
    'A member who forgot the password has no session; the limits count requests.',
  'studio/sign-in/forgot.ts': 'A member who forgot the password has no session; the limits count requests.',
  'app/studio/(sign-in)/join/':
    'The token of the invitation is the proof; a member who is signed in joins as that one.',
  'studio/sign-in/join.ts':
    'The token of the invitation is the proof; a member who is signed in joins as that one.',
  'app/studio/(sign-in)/reset/': 'The token of the letter is the proof.',
  'studio/sign-in/reset.ts': 'The token of the letter is the proof.',
  'app/studio/(sign-in)/setup/': 'The set-up code is the proof; there is no member yet.',
  'studio/sign-in/set-up.ts': 'The set-up code is the proof; there is no member yet.',
  'app/studio/(sign-in)/sign-in/': 'The way in: password, passkey and second step are checked by `signIn`.',
  'studio/sign-in/sign-in.ts': 'The way in: password, passkey and second step are checked by `signIn`.',
  'app/icon.svg/route.ts': 'The same picture for everyone.',
  'app/studio/oidc/': 'The way in by a provider; a link to an account takes the session, if there is one.',
  'app/studio/sign-out/route.ts': 'It ends the session of this browser, if there is one.',
  'app/studio/(shell)/[project]/answer/[format]/route.ts':
    'A fetch: it answers 401 without a session, where a page redirects to sign-in.',
  'app/studio/(shell)/[project]/[...unknown]/page.tsx': 'It only says that there is no such page.',
  'app/studio/(shell)/[project]/search/route.ts':
    'A fetch: it answers 401 without a session, where a page redirects to sign-in.',
  'app/studio/(shell)/[project]/sql/answer/route.ts':
    'A fetch: it answers 401 without a session, where a page redirects to sign-in.',
}

const root = join(import.meta.dirname, '../..')
const texts = Object.fromEntries(
  codeIn(root, 'src')
    .filter((path) => /^src\/(?:app|studio)\/.*\.tsx?$/.test(path) && !isTest(path))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
)

/** The functions a browser can call: the exports of pages and routes, and each exported server action. */
function entriesIn(calls: CallGraph): string[] {
  return calls.paths.flatMap((path) => {
    const exported = calls.exportsOf(path)
    if (path.endsWith('/page.tsx'))
      return exported.filter((name) => /#(?:default|generateMetadata)$/.test(name))
    if (/\/route\.tsx?$/.test(path)) return exported.filter((name) => /#[A-Z]+$/.test(name))
    return calls.isServerActions(path) ? exported : []
  })
}

/** A title that is made of the address alone reads nothing that is stored. */
const readsNothing = (entry: string, calls: CallGraph): boolean =>
  entry.endsWith('#generateMetadata') && !calls.reaches(entry, 'src/studio/product.ts#getProduct')

const withoutViewer = (calls: CallGraph): string[] =>
  entriesIn(calls)
    .filter((entry) => !readsNothing(entry, calls))
    .filter((entry) => !calls.reaches(entry, requiresViewer))
    .map((entry) => entry.replace('src/', '').replace(/(page\.tsx|route\.tsx?)#.*/, '$1'))

const isListed = (entry: string): boolean =>
  Object.keys(open).some((name) =>
    name.endsWith('/') ? entry.startsWith(name) : entry === name || entry.startsWith(`${name}#`),
  )

describe('pages, routes and actions', () => {
  const calls = new CallGraph(texts)

  test('require a signed-in member, or are listed with the reason why not', () => {
    const found = withoutViewer(calls)

    expect(found.filter((entry) => !isListed(entry))).toEqual([])
    const unused = Object.keys(open).filter((name) => !found.some((entry) => entry.startsWith(name)))
    expect(unused).toEqual([])
  })

  test('are all looked at', () => {
    const entries = entriesIn(calls)

    expect(entries.filter((entry) => entry.endsWith('/page.tsx#default')).length).toBe(
      Object.keys(texts).filter((path) => path.endsWith('/page.tsx')).length,
    )
    expect(entries.filter((entry) => /#[a-z]\w+$/.test(entry)).length).toBeGreaterThan(80)
  })

  test.each([
    [
      "import { getProduct } from '#studio/product'\nexport default async function Page() { return getProduct() }",
    ],
    // a function that is named and not called does nothing
    [
      "import { requireViewer } from '#studio/viewer'\nexport default async function Page() { return String(requireViewer) }",
    ],
  ])('a page that asks for no viewer is found', (text) => {
    const viewer = 'export async function requireViewer() {}'
    const made = new CallGraph({ 'src/app/page.tsx': text, 'src/studio/viewer.ts': viewer })

    expect(withoutViewer(made)).toEqual(['app/page.tsx'])
  })

  test('docs/authorization.md prints the list', () => {
    const rows = Object.entries(open).map(([name, reason]) => [`\`${name}\``, reason])

    expectPrintedTable('open pages', tableOf(['Page, route or action in `src`', 'Why it is open'], rows))
  })
})
