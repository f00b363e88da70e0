import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { patienceMs } from '#test/running/patience'
import { supervise, type ChildPlan, type SupervisedChild } from './supervise'

const silentLog = { info: () => {}, warn: () => {}, error: () => {} }

/** Answers every ping, and does what it is told. */
const obedient = `
  process.on('message', (word) => {
    if (word === 'ping' && !globalThis.deaf) process.send('pong')
    if (word === 'go deaf') globalThis.deaf = true
    if (word === 'end') process.exit(3)
  })`
const stubborn = `${obedient}; process.on('SIGTERM', () => {})`

let supervised: SupervisedChild | undefined
afterEach(() => supervised?.stop())

function aSupervised(changes: Partial<ChildPlan> = {}, script = obedient) {
  const children: ChildProcess[] = []
  const child = supervise({
    name: 'engine',
    spawn: () => {
      const started = spawn(process.execPath, ['-e', script], {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      })
      children.push(started)
      return started
    },
    isAlive: async () => {
      const latest = children.at(-1)
      latest?.send('ping', () => {})
      const [answer] = latest ? await once(latest, 'message') : []
      return answer === 'pong'
    },
    startWithinMs: 5000,
    probeEveryMs: 20,
    deafAfterMs: 300,
    busyAfterMs: 2000,
    processStats: () => ({}),
    stop: { signal: 'SIGTERM', withinMs: 300 },
    backOffMs: { first: 10, most: 100 },
    log: silentLog,
    ...changes,
  })
  supervised = child
  return { child, children }
}

function becomes(child: SupervisedChild, status: string) {
  return vi.waitFor(() => expect(child.health().status).toBe(status), { timeout: patienceMs, interval: 5 })
}

test('a child is starting until it answers, then ready, with a pid and no trouble', async () => {
  const { child } = aSupervised()
  expect(child.health()).toMatchObject({ status: 'starting', restarts: 0 })
  await child.ready()
  expect(child.health()).toMatchObject({
    status: 'ready',
    restarts: 0,
    trouble: undefined,
    pid: expect.any(Number),
  })
})

test('a killed child is reported at once, with the signal, and comes back by itself', async () => {
  const lost: string[] = []
  const { child } = aSupervised({ onLost: (why) => lost.push(why), lastOutput: () => 'segfault at 0\n' })
  await child.ready()
  child.kill('SIGKILL')
  await becomes(child, 'restarting')
  expect(child.health().trouble).toBe(
    'The engine was killed by SIGKILL; it is being started again. Its last words: segfault at 0',
  )
  await becomes(child, 'ready')
  expect(child.health()).toMatchObject({ restarts: 1, trouble: undefined })
  expect(lost).toEqual(['was killed by SIGKILL'])
})

test('a child that ends on its own is started again, and its exit code is named', async () => {
  const lost: string[] = []
  const { child } = aSupervised({ onLost: (why) => lost.push(why) })
  await child.ready()
  child.send('end')
  await vi.waitFor(() => expect(lost).toEqual(['ended with exit code 3']), 20_000)
  await becomes(child, 'ready')
})

test.each([
  ['goes deaf', (child: SupervisedChild) => child.send('go deaf')],
  ['is frozen', (child: SupervisedChild) => child.kill('SIGSTOP')],
])('a child that %s is killed and started again', async (_, harm) => {
  const { child, children } = aSupervised()
  await child.ready()
  harm(child)
  await becomes(child, 'restarting')
  expect(child.health().trouble).toContain('did not answer for 300 ms')
  await becomes(child, 'ready')
  expect(children[0]?.signalCode).toBe('SIGKILL')
  expect(children).toHaveLength(2)
})

test('a pause of the front itself, by SIGSTOP or with its machine, costs no child its life', async () => {
  let pausedMs = 0
  let probes = 0
  const { child } = aSupervised({
    now: () => performance.now() + pausedMs,
    isAlive: async () => {
      probes += 1
      // each answer comes only after the next pause
      pausedMs += 20_000
      return true
    },
  })
  await child.ready()
  await vi.waitFor(() => expect(probes).toBeGreaterThan(30), 20_000)
  expect(child.health()).toMatchObject({ status: 'ready', restarts: 0 })
})

test('a child that works and does not answer is waited for longer, and then started again', async () => {
  let processorMs = 0
  const { child } = aSupervised({
    deafAfterMs: 60,
    busyAfterMs: 600,
    processStats: () => ({ processorMs: (processorMs += 1000) }),
  })
  await child.ready()
  child.send('go deaf')
  await becomes(child, 'restarting')
  expect(child.health().trouble).toContain('was busy and did not answer for 600 ms')
})

test('a start that makes progress is not given up on', async () => {
  let processorMs = 0
  let probes = 0
  const { child, children } = aSupervised({
    startWithinMs: 200,
    isAlive: async () => ++probes > 20,
    processStats: () => ({ processorMs: (processorMs += 1000) }),
  })
  await child.ready()
  expect(children).toHaveLength(1)
})

test('a probe that fails now and then is forgiven', async () => {
  let probes = 0
  const { child } = aSupervised({ isAlive: async () => ++probes % 3 === 0, deafAfterMs: 2000 })
  await child.ready()
  await vi.waitFor(() => expect(probes).toBeGreaterThan(15), 20_000)
  expect(child.health()).toMatchObject({ status: 'ready', restarts: 0 })
})

test('a child that never answers is given up on, and the sentence says for how long it was waited for', async () => {
  const { child } = aSupervised({ isAlive: async () => false, startWithinMs: 100 })
  await becomes(child, 'restarting')
  expect(child.health().trouble).toContain('The engine did not answer within 100 ms')
})

test('what must be done before readiness is waited for, and if it fails the start has failed', async () => {
  let attempts = 0
  const { child } = aSupervised({
    onReady: async () => {
      attempts += 1
      if (attempts === 1) throw new Error('has no tables yet')
    },
  })
  await becomes(child, 'restarting')
  expect(child.health().trouble).toContain('The engine has no tables yet')
  await child.ready()
  expect(attempts).toBe(2)
  expect(child.health().restarts).toBe(1)
})

test('its last words are waited for, but not when a grandchild keeps its stderr open', async () => {
  let text = ''
  const lost = Promise.withResolvers<string>()
  const script = `
    const grandchild = require('node:child_process')
      .spawn('sleep', ['86400'], { stdio: ['ignore', 'ignore', 'inherit'], detached: true })
    process.stderr.write('so long says the parent of ' + grandchild.pid)
    process.exit(1)`
  onTestFinished(() => void process.kill(Number(/\d+$/.exec(text)?.[0]), 'SIGKILL'))
  aSupervised({
    spawn: () => {
      const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'pipe'] })
      child.stderr.on('data', (words) => (text += String(words)))
      return child
    },
    isAlive: async () => false,
    backOffMs: { first: 60_000, most: 60_000 },
    lastOutput: () => text,
    onLost: () => lost.resolve(supervised?.health().trouble ?? ''),
  })
  expect(await lost.promise).toContain(
    'ended with exit code 1; it is being started again. Its last words: so long',
  )
})

test('a program that does not exist is trouble, not a crash', async () => {
  const { child } = aSupervised({ spawn: () => spawn('/no/such/program') })
  await becomes(child, 'restarting')
  expect(child.health().trouble).toContain('could not be started: spawn /no/such/program ENOENT')
})

test('stop asks first, and kills what does not obey', async () => {
  const obeying = aSupervised()
  await obeying.child.ready()
  await obeying.child.stop()
  expect(obeying.children[0]?.signalCode).toBe('SIGTERM')
  expect(obeying.child.health()).toMatchObject({ status: 'stopped', pid: undefined })

  const resisting = aSupervised({}, stubborn)
  await resisting.child.ready()
  await resisting.child.stop()
  expect(resisting.children[0]?.signalCode).toBe('SIGKILL')
})

test('a stop before readiness rejects those who wait for it, and nothing is started again', async () => {
  const { child, children } = aSupervised({ isAlive: async () => false })
  const waiting = expect(child.ready()).rejects.toThrow('The engine was stopped before it was ready.')
  await child.stop()
  await waiting
  expect(children).toHaveLength(1)
  expect(child.health().status).toBe('stopped')
})

test('a stop during the pause before a restart is not waited out', async () => {
  const { child, children } = aSupervised({ backOffMs: { first: 60_000, most: 60_000 } })
  await child.ready()
  child.kill()
  await becomes(child, 'restarting')
  await child.stop()
  expect(children).toHaveLength(1)
})

test('messages reach the child, and are dropped while there is none', async () => {
  const { child, children } = aSupervised()
  await child.ready()
  const [first] = children
  child.send('end')
  await vi.waitFor(() => expect(first?.exitCode).toBe(3), 20_000)
  child.send('nobody hears this')
  await becomes(child, 'ready')
})
