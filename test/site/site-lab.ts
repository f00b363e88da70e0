import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { vi } from 'vitest'
import { patienceMs } from '../running/patience'
import { aFolder, childOf, isGone, titleOf, type RunningTestTilth } from '../start/tilth'

const paragraph = 'A garden teaches patience: what grows is seen weeks after what was done for it. '
const tags = ['soil', 'seeds', 'tools', 'weather', 'harvest']

/** The pages and feeds that are made of all posts at once. */
export const listAddresses = [
  '/',
  '/blog',
  '/blog?page=2',
  '/blog.json',
  '/blog/rss.xml',
  '/blog/atom.xml',
  '/sitemap.xml',
  '/robots.txt',
  '/llms.txt',
]

/** A folder of posts, and what may happen to it. */
export class PostsLab {
  readonly folder = aFolder()

  constructor(readonly count: number) {
    mkdirSync(join(this.folder, 'posts'), { recursive: true })
    for (let n = 0; n < count; n++) this.write(n, 'first')
  }

  /** Every text has a word of its own, so that a page shows which version of it was rendered. */
  write(n: number, mark: string, head = ''): void {
    const date = new Date(Date.UTC(2020, 0, 1) + n * 86_400_000).toISOString().slice(0, 10)
    const front = `---\ntitle: Post number ${n}\ndate: ${date}\ntags: [${tags[n % tags.length]}]\n${head}---\n`
    const text = `The mark is ${mark}.\n\n## Why\n\n${paragraph.repeat(8)}\n\n\`\`\`ts\nconst soil = 'loam'\n\`\`\`\n`
    writeFileSync(this.fileOf(n), `${front}${text}`)
  }

  remove(n: number): void {
    rmSync(this.fileOf(n))
  }

  private fileOf(n: number): string {
    return join(this.folder, 'posts', `post-${n}.md`)
  }

  /** Every kind of public address. */
  addresses(): string[] {
    const numbers = Array.from({ length: this.count }, (_, n) => n)
    return [
      ...listAddresses,
      ...tags.flatMap((tag) => [`/blog/tags/${tag}`, `/blog/tags/${tag}/rss.xml`]),
      ...numbers.map((n) => `/blog/post-${n}`),
      ...numbers
        .filter((n) => n % 20 === 0)
        .flatMap((n) => [`/blog/post-${n}.md`, `/blog/post-${n}/card.png`]),
    ]
  }
}

export interface LabAnswer {
  path: string
  status: number
  cache: string | null
  etag: string | null
  text: string
  ms: number
}

export async function ask(address: string, path: string): Promise<LabAnswer> {
  const began = performance.now()
  const answer = await fetch(address + path, { headers: { accept: 'text/html' }, redirect: 'manual' })
  const text = await answer.text()
  const [cache = null, etag = null] = ['x-tilth-cache', 'etag'].map((name) => answer.headers.get(name))
  return { path, status: answer.status, cache, etag, text, ms: Math.round(performance.now() - began) }
}

/** Describes what no visitor should get: another status than 200, and an answer that took too long. */
export const failuresIn = (answers: readonly LabAnswer[], slowestMs: number): string[] =>
  answers
    .filter(({ status, ms }) => status !== 200 || ms > slowestMs)
    .map(({ path, status, ms, text }) => `${path} was answered ${status} after ${ms} ms: ${titleOf(text)}`)

/** Asks for every address once, a few at a time, and for an unprepared one again. */
export async function visitAll(address: string, paths: readonly string[]): Promise<LabAnswer[]> {
  const left = [...paths]
  const answers: LabAnswer[] = []
  const visitor = async (): Promise<void> => {
    for (let path = left.shift(); path !== undefined; path = left.shift())
      answers.push(await ask(address, path))
  }
  await Promise.all([visitor(), visitor(), visitor(), visitor()])
  return answers
}

/** Several visitors who ask for one address after the other until they are told to stop. */
export function load(
  address: string,
  paths: readonly string[],
  { visitors, slowestMs }: { visitors: number; slowestMs: number },
) {
  const counts = new Map<string, number>()
  const failures: string[] = []
  const times: number[] = []
  const over = new AbortController()
  const visitor = async (index: number): Promise<void> => {
    // every visitor has another order; 7919 is prime, so that all addresses come up
    for (let n = index * 31; !over.signal.aborted; n += 7919) {
      const path = paths[n % paths.length] ?? '/'
      try {
        const answer = await ask(address, path)
        const cache = answer.cache ?? 'none'
        counts.set(cache, (counts.get(cache) ?? 0) + 1)
        times.push(answer.ms)
        failures.push(...failuresIn([answer], slowestMs))
      } catch (problem) {
        failures.push(`${path} failed: ${String(problem)}`)
      }
    }
  }
  const running = Promise.all(Array.from({ length: visitors }, (_, index) => visitor(index)))
  return {
    failures,
    counts,
    times,
    stop: async () => {
      over.abort()
      await running
    },
  }
}

/** Kills the process that renders pages, and waits until another renders one that has no copy. */
export async function killPages({ pid, address }: RunningTestTilth): Promise<void> {
  const pages = childOf(pid, 'pages.js')
  process.kill(pages, 'SIGKILL')
  await vi.waitUntil(() => isGone(pages), { timeout: patienceMs })
  const searches = async (): Promise<boolean> => (await ask(address, '/blog/search?q=garden')).status === 200
  // on a machine that is busy with other work, it starts and reads all posts within minutes
  await vi.waitUntil(searches, { timeout: patienceMs, interval: 100 })
}

/** Occupies a core for a while. */
export async function beBusy(ms: number): Promise<void> {
  const busy = spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' })
  await pause(ms)
  busy.kill('SIGKILL')
}

/** The files of pages on disk, those that are being written left out. */
export const pagesOnDisk = (dataFolder: string): string[] =>
  readdirSync(join(dataFolder, 'rendered'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.new'))
    .map((entry) => join(entry.parentPath, entry.name))

/** Whether a page is on disk in the version that its entity tag names. */
export const isOnDisk = (dataFolder: string, { etag }: LabAnswer): boolean => {
  const [, stem = ''] = /^W\/"([\w-]{22})/.exec(etag ?? '') ?? []
  return pagesOnDisk(dataFolder).some((file) => readFileSync(file, 'latin1').includes(`"stem":"${stem}"`))
}
