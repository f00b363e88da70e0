import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request, type IncomingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ProductProcess, writeKey } from '../crashlab/product-process'

interface FormLoad {
  seconds: number
  print?: (line: string) => void
}

interface FormReport {
  /** The actions of others that were refused meanwhile. */
  failures: string[]
  /** The number of times that others did each thing, and the longest that one of them took. */
  done: Record<string, { times: number; longestMs: number }>
}

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** Addresses of this machine that Tilth takes for two networks. */
const attacker = '127.0.1.1'
const visitor = '127.0.2.1'

const owner = { email: 'ana@example.com', password: 'five unrelated words do well' }

const boundary = 'x'.repeat(30)
const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` }

function formOf(fields: readonly (readonly [name: string, value: string])[]): string {
  const parts = fields.map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return `${parts.join('')}--${boundary}--\r\n`
}

/** 8 MB in as many parts as there can be, and in two. */
const largeForms = [
  formOf(Array.from({ length: 80_000 }, () => ['$ACTION_REF_1', 'b'])),
  formOf([
    ['$ACTION_REF_1', ''],
    ['text', 'a'.repeat(8_000_000)],
  ]),
]

/**
 * One network trickles and sends large forms wherever a form could be meant; people of another sign in, save, ask for
 * flags and send a batch. None of them may be refused.
 */
export async function sendForms({ seconds, print }: FormLoad): Promise<FormReport> {
  const folder = await mkdtemp(join(tmpdir(), 'tilth-loads-'))
  const report: FormReport = { failures: [], done: {} }
  const tilth = new ProductProcess(join(folder, 'data'), {}, (failure) => report.failures.push(failure))
  try {
    await tilth.start()
    const session = await signIn(tilth.address)
    const until = performance.now() + seconds * 1000
    const isOver = (): boolean => performance.now() > until || !tilth.isRunning
    await Promise.all([
      ...Array.from({ length: 8 }, () => trickle(tilth.address, '/studio/sign-in', isOver)),
      ...Array.from({ length: 50 }, () => trickle(tilth.address, '/studio/acme', isOver)),
      ...Array.from({ length: 12 }, (_, number) => sendLargeForms(tilth.address, number, isOver)),
      doInTurn(tilth.address, session, report, isOver),
    ])
    print?.(JSON.stringify(report.done))
    return report
  } finally {
    await tilth.killFront('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
}

/** The actions of people in the other network, sent without a script. */
async function doInTurn(
  address: string,
  session: string,
  { failures, done }: FormReport,
  isOver: () => boolean,
): Promise<void> {
  const steps: Record<string, () => Promise<boolean>> = {
    'sign in': async () => (await signIn(address)) !== '',
    'run a statement': async () => {
      const sent = formOf([['text', 'select 1']])
      const answer = await send(address, '/studio/acme/sql/answer', sent, { ...multipart, cookie: session })
      return answer.status === 200 && answer.text.includes('"done":true')
    },
    'send a batch of 300 kB': async () => {
      const event = { event: 'read', properties: { distinct_id: 'ana', note: 'a'.repeat(1000) } }
      const batch = { api_key: writeKey, batch: Array.from({ length: 280 }, () => event) }
      return (await send(address, '/batch/', JSON.stringify(batch))).status === 200
    },
    'ask for flags': async () => {
      const asked = JSON.stringify({ token: writeKey, distinct_id: 'ana' })
      return (await send(address, '/flags/?v=2', asked)).status === 200
    },
  }
  while (!isOver()) {
    for (const [name, step] of Object.entries(steps)) {
      const began = performance.now()
      if (!(await step().catch(() => false))) failures.push(`another network could not ${name}`)
      const { times, longestMs } = (done[name] ??= { times: 0, longestMs: 0 })
      const tookMs = Math.round(performance.now() - began)
      done[name] = { times: times + 1, longestMs: Math.max(longestMs, tookMs) }
    }
  }
}

/** Returns the cookie of a new session; nothing if it was refused. */
export async function signIn(address: string): Promise<string> {
  const page = await send(address, '/studio/sign-in')
  const hidden = [...page.text.matchAll(/<input type="hidden" name="([^"]*)"(?: value="([^"]*)")?/g)]
  const fields = hidden.map(([, name = '', value = '']) => [name, value.replaceAll('&quot;', '"')] as const)
  const form = formOf([...fields, ['email', owner.email], ['password', owner.password]])
  const { headers } = await send(address, '/studio/sign-in', form, multipart)
  const cookie = headers['set-cookie']?.find((each) => each.startsWith('sid='))
  return cookie?.split(';')[0] ?? ''
}

const agent = new Agent({ keepAlive: true })

/** GET without a body. A request that hangs ends with the front, after the load. */
const send = (
  address: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST'
    const sent = request(address + path, { method, agent, headers, localAddress: visitor }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part) => (text += part))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })

/** Begins a form over and over, of which only a byte arrives at a time. */
async function trickle(address: string, path: string, isOver: () => boolean): Promise<void> {
  const { host } = new URL(address)
  const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nnext-action: x\r\ncontent-length: 60000\r\n\r\n`
  while (!isOver()) {
    const socket = open(address)
    socket.write(head)
    while (!socket.destroyed && !isOver()) {
      socket.write('a')
      await delay(200)
    }
    socket.destroy()
  }
}

async function sendLargeForms(address: string, number: number, isOver: () => boolean): Promise<void> {
  const { host } = new URL(address)
  const paths = ['/', '/blog', '/studio/sign-in', '/studio/acme', '/_tilth/forms/signup', '/s/survey']
  for (let turn = number; !isOver(); turn++) {
    const form = largeForms[turn % 2] ?? ''
    const head = `POST ${paths[turn % paths.length]} HTTP/1.1\r\nHost: ${host}\r\n`
    const socket = open(address)
    socket.write(
      `${head}content-type: ${multipart['content-type']}\r\ncontent-length: ${form.length}\r\n\r\n`,
    )
    socket.write(form)
    // an answer, a refusal, or the end
    await Promise.race([
      new Promise((resolve) => socket.once('data', resolve).once('close', resolve)),
      over(),
    ])
    socket.destroy()
  }

  async function over(): Promise<void> {
    while (!isOver()) await delay(200)
  }
}

function open(address: string): Socket {
  const socket = connect({ port: Number(new URL(address).port), host: '127.0.0.1', localAddress: attacker })
  socket.on('error', () => {})
  socket.resume()
  return socket
}
