import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Finding, ms, quantile } from './report'
import { forget, owned, pause, type Running, startTilth, temporaryFolder } from './running'

const files = 2000
const changedAtOnce = 100

const paragraph =
  'A garden teaches patience, and so does measuring one: what grows is seen weeks after what was done for it. '

const tags = ['soil', 'seeds', 'tools', 'weather', 'harvest']

const fileOf = (folder: string, n: number): string => join(folder, 'posts', `post-${n}.md`)

/** A post of five kilobytes with what posts have in them. */
function writePost(folder: string, n: number, mark: string): void {
  const day = new Date(Date.UTC(2020, 0, 1) + n * 86_400_000).toISOString().slice(0, 10)
  const head = `---\ntitle: Post number ${n}\ndate: ${day}\ntags: [${tags[n % tags.length]}]\n---\n`
  const parts = Array.from({ length: 10 }, (_, part) => `## Part ${part}\n\n${paragraph.repeat(4)}`)
  const code = '```ts\nconst bed = beds.find(({ soil }) => soil === "loam")\n```'
  const beside = join(folder, 'posts', `.post-${n}`)
  writeFileSync(beside, `${head}The mark is ${mark}.\n\n${parts.join('\n\n')}\n\n${code}\n`)
  // as most editors and git save a file
  renameSync(beside, fileOf(folder, n))
}

const read = async ({ address }: Running, n: number): Promise<string> => {
  const answer = await fetch(`${address}/blog/post-${n}`, { headers: { accept: 'text/html' } })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`Post ${n} was answered ${answer.status}.`)
  return text
}

/** Rewrites posts and asks for them until every one of them shows the change. */
async function change(
  tilth: Running,
  folder: string,
  posts: readonly number[],
  mark: string,
): Promise<number> {
  for (const n of posts) writePost(folder, n, mark)
  const beganAt = performance.now()
  for (const n of posts) while (!(await read(tilth, n)).includes(`The mark is ${mark}.`)) await pause(20)
  return performance.now() - beganAt
}

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, n) => from + n)

/** The delay until a change of files is visible, on a site of 2,000 of them. */
export async function siteChanges(): Promise<Finding[]> {
  const [data, folder] = [temporaryFolder(), temporaryFolder()]
  mkdirSync(join(folder, 'posts'))
  for (const n of range(0, files)) writePost(folder, n, 'first')
  const tilth = await startTilth(data, { ...owned, TILTH_SITE: folder })
  try {
    // the work that follows a start is not measured
    for (const n of range(0, 200)) await read(tilth, n)
    await pause(20_000)
    const single: number[] = []
    for (const n of range(0, 5)) {
      // a watcher may be deaf to a file that was replaced before
      await change(tilth, folder, [n], `first edit ${n}`)
      single.push(await change(tilth, folder, [n], `edit ${n}`))
    }
    const many: number[] = []
    for (const n of range(0, 3))
      many.push(await change(tilth, folder, range(100, changedAtOnce), `round ${n}`))
    return [
      {
        what: `one of ${files} files in a folder is edited, until its page shows it`,
        measured: `p50 ${ms(quantile(single, 0.5))}, slowest ${ms(Math.max(...single))}`,
        beside: 'of 5 edits, each the second of its file; hoped for: 1 s',
      },
      {
        what: `${changedAtOnce} of ${files} files are changed at once, until all of their pages show it`,
        measured: `p50 ${ms(quantile(many, 0.5))}, slowest ${ms(Math.max(...many))}`,
        beside: 'of 3 changes; asked for one after the other; hoped for: 5 s',
      },
    ]
  } finally {
    await tilth.stop()
    forget(data)
    forget(folder)
  }
}
