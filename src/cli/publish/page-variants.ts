export type ShownValues = Readonly<Record<string, boolean | string>>

/** A decision that a page shows, with every value; the first is the original. */
export interface VariedFlag {
  key: string
  values: readonly (boolean | string)[]
}

/** A page with more of them is published as its original. */
const maxCombinations = 32

/** Every combination of values, that of the originals first; undefined if there are too many. */
export function combinationsOf(uses: readonly VariedFlag[]): ShownValues[] | undefined {
  const count = uses.reduce((product, { values }) => product * values.length, 1)
  if (count > maxCombinations) return undefined
  return uses.reduce<ShownValues[]>(
    (combinations, { key, values }) =>
      combinations.flatMap((decisions) => values.map((value) => ({ ...decisions, [key]: value }))),
    [{}],
  )
}

interface PageDecisions {
  project: string
  server: string
  uses: readonly VariedFlag[]
  files: ReadonlyMap<ShownValues, { file?: string; uses: readonly string[] }>
}

/** The tag of the script that shows a visitor their variant before the page is seen. */
export function decisionsTag({ project, server, uses, files }: PageDecisions): string {
  const keys = uses.map(({ key }) => key)
  const variants = Object.fromEntries(
    Array.from(files, ([decisions, variant]) => [JSON.stringify(keys.map((key) => decisions[key])), variant]),
  )
  const page = JSON.stringify({ project, server, keys, variants })
  return `<script src="/_tilth/site-decide.js" data-page="${page.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></script>`
}

const siteScript = /<script\b[^>]*\ssrc="\/_tilth\/site-files\.js"[^>]*><\/script>/g

/**
 * Puts the tag in the place of the usual script, which it loads afterwards. It stands at the beginning of the head, behind
 * the encoding, so that it runs before anything is shown.
 */
export function withTag(html: string, tag: string): string {
  const without = html.replaceAll(siteScript, '')
  return tag === '' ? without : without.replace(/<head><meta charset="utf-8"\s*\/?>/i, (head) => head + tag)
}

const modulePreload = /<link rel="modulepreload"[^>]*>/g

/** Next orders these elements of the head by what is ready first; the same page is to be the same file. */
export function withOrderedHead(html: string): string {
  const preloads = [...new Set(html.match(modulePreload))].toSorted().join('')
  return html
    .replaceAll('<meta name="next-size-adjust" content=""/>', '')
    .replaceAll(modulePreload, '')
    .replace('</head>', () => `${preloads}</head>`)
}
