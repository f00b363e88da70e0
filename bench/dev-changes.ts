import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { context } from 'esbuild'
import { type Finding, ms, quantile } from './report'
import { forget, owned, pause, startTilth, temporaryFolder } from './running'

const edits = 20

const pageOf = (mark: string): string => `import { Note } from '../components/Note'
export default function Page() {
  return <main id="content"><h1>Notes</h1><Note text="The mark is ${mark}." /></main>
}
`
const note = 'export const Note = ({ text }: { text: string }) => <p>{text}</p>\n'

/** Writes a page beside its place first, as most editors and git save a file. */
function savePage(folder: string, mark: string): void {
  writeFileSync(join(folder, 'pages/.notes'), pageOf(mark))
  renameSync(join(folder, 'pages/.notes'), join(folder, 'pages/notes.tsx'))
}

function aSiteFolder(): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'pages'))
  mkdirSync(join(folder, 'components'))
  writeFileSync(join(folder, 'components/Note.tsx'), note)
  savePage(folder, 'first')
  return folder
}

/** The time from each save until the page of `tilth dev` shows it. */
async function timesInDev(): Promise<number[]> {
  const [data, folder] = [temporaryFolder(), aSiteFolder()]
  const tilth = await startTilth(data, owned, ['dev', folder])
  const shows = async (mark: string): Promise<boolean> =>
    (await (await fetch(`${tilth.address}/notes`, { headers: { accept: 'text/html' } })).text()).includes(
      mark,
    )
  const times: number[] = []
  try {
    while (!(await shows('first'))) await pause(20)
    for (let edit = 0; edit < edits; edit++) {
      // people read what they have changed before the next change
      await pause(1500)
      const beganAt = performance.now()
      savePage(folder, `edit ${edit}.`)
      while (!(await shows(`edit ${edit}.`))) await pause(5)
      times.push(performance.now() - beganAt)
    }
    return times
  } finally {
    await tilth.stop()
    forget(data)
    forget(folder)
  }
}

/** The least that has to be done for a change: one process builds, imports and renders the page. */
async function timesOfBareBuild(): Promise<number[]> {
  const folder = aSiteFolder()
  const entry = "export { default as Page } from './pages/notes'\nexport { createElement } from 'react'\n"
  const built = await context({
    absWorkingDir: folder,
    stdin: { contents: `${entry}export { renderToString } from 'react-dom/server'`, resolveDir: folder },
    outfile: join(folder, 'out.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    jsx: 'automatic',
    nodePaths: [join(process.cwd(), 'node_modules')],
    define: { 'process.env.NODE_ENV': '"development"' },
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    tsconfigRaw: {},
  })
  const times: number[] = []
  try {
    await built.rebuild()
    for (let edit = 0; edit < edits; edit++) {
      const beganAt = performance.now()
      savePage(folder, `edit ${edit}.`)
      await built.rebuild()
      const program = await import(`${pathToFileURL(join(folder, 'out.mjs')).href}?edit=${edit}`)
      const html: string = program.renderToString(program.createElement(program.Page))
      if (!html.includes(`edit ${edit}.`)) throw new Error('The bare build shows an earlier page.')
      times.push(performance.now() - beganAt)
    }
    return times
  } finally {
    await built.dispose()
    forget(folder)
  }
}

/** The delay until a change of a page in React is visible in `tilth dev`, beside a bare build of the same page. */
export async function devChanges(): Promise<Finding> {
  const bare = await timesOfBareBuild()
  const measured = await timesInDev()
  const ratio = quantile(measured, 0.5) / quantile(bare, 0.5)
  return {
    what: 'a page in React is saved in `tilth dev`, until its address shows it',
    measured: `p50 ${ms(quantile(measured, 0.5))}, slowest ${ms(Math.max(...measured))}`,
    beside: `of ${edits} saves; esbuild, import and React in one process p50 ${ms(quantile(bare, 0.5))}: **ratio ${ratio.toFixed(1)}**; hoped for: 500 ms`,
  }
}
