import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runTests } from './run-tests.js'
import { runAloud } from './run.js'

/** The random searches for failures, each with its share of the minutes. `npm test` runs a sample of each. */
export const deepParts = [
  {
    name: 'crashlab',
    about: 'kills, stops, fills and cuts short the whole product, and looks for every acknowledged event',
    share: 0.3,
    search: ({ minutes, seed, more, root }) =>
      lab('crashlab', ['--minutes', minutes, '--seed', seed, ...more], root),
  },
  {
    name: 'model',
    about:
      'kills the collecting process, then two fronts with their engine and store, more often than a whole product could be',
    share: 0.1,
    search: ({ minutes, seed, more, root }) =>
      lab('crashlab', ['--model', '--seconds', Math.ceil(minutes * 60), '--seed', seed, ...more], root),
  },
  {
    name: 'fuzz',
    about: 'sends what no client would to a Tilth that runs: no answer may be a failure of ours',
    share: 0.1,
    search: ({ minutes, seed, more, root }) =>
      lab('fuzz', ['--minutes', minutes, '--seed', seed, ...more], root),
  },
  {
    name: 'loads',
    about: 'sends more than there is memory for, with nothing but what anybody may send',
    share: 0.1,
    search: ({ minutes, seed, root }) => lab('loads', ['--minutes', minutes, '--seed', seed], root),
  },
  {
    name: 'soak',
    about:
      'sends what a live site sends: no event is refused or lost, memory stays flat, no turn of the event loop is long',
    share: 0.15,
    search: ({ minutes, seed, root }) => lab('soak', ['--minutes', minutes, '--seed', seed], root),
  },
  {
    name: 'cases',
    about:
      'runs every test that draws random cases with up to ten times as many, over and over, each time with another seed',
    share: 0.15,
    search: searchCases,
  },
  {
    name: 'simulate',
    about: 'holds the error rates of the statistics against simulated experiments',
    share: 0.05,
    search: simulate,
  },
  {
    name: 'site',
    about:
      'asks for every address of 2,000 posts while they change, pages die and the machine is busy: none fails or is late',
    share: 0.05,
    search: searchSite,
  },
]

/** About what a machine of two cores gets through. */
const experimentsAMinute = 1000

/** `npm run test:deep -- --minutes 60 --seed 7` runs all parts, `npm run test:deep -- fuzz --minutes 10` one. */
export async function deepTests(words, { root, env }) {
  const one = deepParts.find(({ name }) => name === words[0])
  const { minutes, seed, more } = deepOptions(one ? words.slice(1) : words)
  process.stdout.write(`Seed ${seed}. The same again: --seed ${seed}\n`)
  const counts = { passed: 0, failed: 0, failures: [] }
  for (const { name, share, search } of one ? [{ ...one, share: 1 }] : deepParts) {
    process.stdout.write(`\n── ${name}, ${(minutes * share).toFixed(1)} minutes\n`)
    const isWell = await search({ minutes: minutes * share, seed, more, root, env })
    counts[isWell ? 'passed' : 'failed']++
    if (!isWell)
      counts.failures.push(
        `${name}: npm run test:deep -- ${name} --minutes ${minutes * share} --seed ${seed}`,
      )
  }
  return counts
}

/** Options that are unknown here belong to the part. */
function deepOptions(words) {
  const { values, tokens } = parseArgs({
    args: words,
    options: { minutes: { type: 'string', default: '30' }, seed: { type: 'string' } },
    strict: false,
    tokens: true,
  })
  const own = new Set(
    tokens
      .filter(({ kind, name }) => kind === 'option' && ['minutes', 'seed'].includes(name))
      .flatMap(({ index, inlineValue }) => (inlineValue ? [index] : [index, index + 1])),
  )
  return {
    minutes: Number(values.minutes),
    seed: Number(values.seed ?? Date.now() % 1_000_000),
    more: words.filter((_, index) => !own.has(index)),
  }
}

/** A program in `test/deep/<name>/main.ts`. */
async function lab(name, args, root) {
  const { build } = await import('esbuild')
  const program = join(root, 'dist/deep', name, 'main.js')
  await build({
    entryPoints: [join(root, 'test/deep', name, 'main.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  })
  return await runAloud(process.execPath, [program, ...args.map(String)], { cwd: root })
}

/** The statistics by themselves, and then the product's own results of events that it was told. */
async function simulate({ minutes, seed, more, root, env }) {
  const experiments = Math.ceil(minutes * experimentsAMinute)
  const args = ['--experiments', experiments, '--seed', seed, ...more]
  if (!(await lab('simulate', args, root))) return false
  const chance = { TEST_SEED: String(seed), TEST_CASES: String(Math.max(1, minutes)) }
  const { failed } = await runTests('deep-simulate', {
    root,
    args: ['--project=unit', 'src/experiments/results/peeking.test.ts'],
    env: { ...env, ...chance },
  })
  return failed === 0
}

async function searchCases({ minutes, seed, root, env }) {
  const until = Date.now() + minutes * 60_000
  const files = readdirSync(join(root, 'src'), { recursive: true })
    .map((file) => join('src', file))
    .filter((file) => /\.test\.tsx?$/.test(file) && drawsCases(readFileSync(join(root, file), 'utf8')))
  const timesAsMany = String(Math.min(10, Math.max(1, Math.round(minutes))))
  for (let round = 0; round === 0 || Date.now() < until; round++) {
    const chance = { TEST_SEED: String(seed + round), TEST_CASES: timesAsMany }
    for (const project of ['unit', 'contract']) {
      const args = [`--project=${project}`, ...files]
      const { failed } = await runTests('deep-cases', { root, args, env: { ...env, ...chance } })
      if (failed === 0) continue
      process.stdout.write(`It failed with seed ${seed + round}.\n`)
      return false
    }
  }
  return true
}

const drawsCases = (text) => /from '(?:#test\/random\/(?:chance|differential)|fast-check)'/.test(text)

async function searchSite({ minutes, root, env }) {
  const length = {
    SITE_LAB_POSTS: '2000',
    SITE_LAB_SECONDS: String(Math.ceil(minutes * 60)),
    SITE_LAB_SLOWEST_MS: '10000',
  }
  const args = ['test/site/always-there.test.ts']
  const { failed } = await runTests('deep-site', { root, args, env: { ...env, ...length } })
  return failed === 0
}
