import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Fuzzer } from './fuzzer'
import { builtActions, pagePaths } from './pages'
import { type ApiOperation, type Keys, operationsIn, recordedRequests } from './requests'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string' } },
})
const minutes = Number(values.minutes)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const owner = { email: 'ana@example.com', password: 'five unrelated words do well' }
const keys: Keys = { writeKey: 'phc_fuzz_key', secret: 'a-secret-key-of-the-fuzzer' }

/** The operations that end the run's own access, after which every answer would be a refusal. */
const endsAccess = ({ method, path }: ApiOperation): boolean =>
  method === 'DELETE' && /\/(?:keys|projects)\/\{\w+\}(?:\/keys\/\{\w+\})?$/.test(path)

/** More memory than caches and the journal take; a leak of a few kilobytes a request passes it within minutes. */
const mostGrowthBytes = 400 * 1024 ** 2
const atOnce = 8
const mostShown = 40
let shown = 0

const folder = mkdtempSync(join(tmpdir(), 'tilth-fuzz-'))
const tilth = spawn(process.execPath, ['bin/tilth.js', 'start'], {
  env: {
    ...process.env,
    PORT: '0',
    TILTH_DATA: folder,
    TILTH_LOG: 'warn',
    TILTH_OWNER_EMAIL: owner.email,
    TILTH_OWNER_PASSWORD: owner.password,
    TILTH_PROJECT: 'Acme',
    TILTH_PROJECT_KEY: keys.writeKey,
    TILTH_PROJECT_SECRET: keys.secret,
  },
  stdio: ['ignore', 'pipe', 'pipe'],
})

console.log(`seed ${seed}, ${minutes} minutes`)
try {
  process.exitCode = (await fuzz()) ? 0 : 1
} finally {
  await ended(tilth)
  rmSync(folder, { recursive: true, force: true })
}

async function fuzz(): Promise<boolean> {
  const errors: string[] = []
  tilth.stderr.on('data', (text) => errors.push(String(text)))
  const address = await readyAddress(tilth)
  const description: unknown = await (await fetch(`${address}/api/v1/openapi.json`)).json()
  const cookie = await signIn(address)
  const fuzzer = new Fuzzer(
    {
      port: Number(new URL(address).port),
      project: 'acme',
      keys,
      recorded: recordedRequests(process.cwd(), keys),
      operations: operationsIn(description).filter((operation) => !endsAccess(operation)),
      pages: {
        paths: pagePaths(process.cwd()),
        actions: builtActions(process.cwd()),
        cookie,
        // the address that the fuzzer sends to
        origin: `http://127.0.0.1:${new URL(address).port}`,
      },
    },
    seed,
    ({ number, what, request, answer }) => {
      if (shown++ < mostShown) console.log(`\nrequest ${number}: ${what}\n${request}\n→ ${answer}`)
    },
  )
  const until = Date.now() + minutes * 60_000
  const warmedUp = Date.now() + Math.min(60_000, minutes * 20_000)
  let before = 0
  const sender = async (): Promise<void> => {
    while (Date.now() < until && tilth.exitCode === null) {
      await fuzzer.sendOne()
      if (before === 0 && Date.now() > warmedUp) before = residentBytes(tilth.pid)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sender))
  fuzzer.close()

  const growth = residentBytes(tilth.pid) - before
  const problems: string[] = []
  if (tilth.exitCode !== null)
    problems.push(`Tilth ended with ${tilth.exitCode}.\n${errors.join('').slice(-3000)}`)
  if (growth > mostGrowthBytes) problems.push(`The front grew by ${Math.round(growth / 1024 ** 2)} MB.`)
  const restarts = (await (await fetch(`${address}/_tilth/metrics`)).text()).match(
    /^tilth_\w+_restarts [1-9].*$/gm,
  )
  if (restarts) problems.push(`Children were started again: ${restarts.join(', ')}`)
  const project = await fetch(`${address}/studio/acme`, { headers: { cookie }, redirect: 'manual' })
  if (project.status !== 200)
    problems.push(
      `The run has lost its own access: ${project.status}. Pages and actions were no longer reached.`,
    )
  for (const problem of problems) console.log(`\n${problem}`)
  const statuses = [...fuzzer.statuses].toSorted(([one], [other]) => one - other)
  console.log(
    `\n${fuzzer.sent} requests, seed ${seed}: ${statuses.map(([status, count]) => `${status} ×${count}`).join(', ')}`,
  )
  console.log(
    `The front grew by ${Math.round(growth / 1024 ** 2)} MB. ${problems.length + fuzzer.faults.length} faults.`,
  )
  return problems.length + fuzzer.faults.length === 0
}

/** Returns the cookie of a new session, as a browser without scripts gets it. */
async function signIn(address: string): Promise<string> {
  const to = `${address}/studio/sign-in`
  const page = await (await fetch(to)).text()
  const form = new FormData()
  for (const [, name = '', value = ''] of page.matchAll(
    /<input type="hidden" name="([^"]*)"(?: value="([^"]*)")?/g,
  ))
    form.set(name, value.replaceAll('&quot;', '"'))
  form.set('email', owner.email)
  form.set('password', owner.password)
  const { headers } = await fetch(to, {
    method: 'POST',
    body: form,
    redirect: 'manual',
    headers: { origin: address },
  })
  const cookie = headers.getSetCookie().find((each) => each.startsWith('sid='))
  if (!cookie) throw new Error('The fuzzer could not sign in.')
  return cookie.replace(/;.*/, '')
}

function readyAddress(child: ChildProcess): Promise<string> {
  let text = ''
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      text = (text + String(chunk)).slice(-20_000)
      const [, address] = /^Tilth is ready at (\S+)/m.exec(text) ?? []
      if (address) resolve(address)
    })
    child.once('exit', () => reject(new Error(`It ended before it was ready:\n${text}`)))
  })
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

function residentBytes(pid: number | undefined): number {
  try {
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) * 1024
  } catch {
    return 0
  }
}
