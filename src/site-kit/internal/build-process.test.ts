import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { patienceMs } from '#test/running/patience'
import { BuildProcess } from './build-process'

/** A process that answers builds by this code; each one that starts adds its id to a file. */
function aBuildProcess(answer: string, { isDev = true, timeoutMs = patienceMs, memoryBytes = 1000 } = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tilth-build-process-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const site = join(folder, 'site')
  mkdirSync(site)
  const program = join(folder, 'program.mjs')
  writeFileSync(
    program,
    `import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
appendFileSync('${folder}/started', process.pid + ' ')
process.once('disconnect', () => process.exit())
const reply = (memoryBytes = 1) => process.send({ outcome: { done: false, problems: [] }, memoryBytes })
/** Whether it is the first time, of all processes. */
const isFirst = () => !existsSync('${folder}/first') && !writeFileSync('${folder}/first', '')
process.on('message', () => { ${answer} })`,
  )
  const build = { folder: site, output: folder, runtime: folder, packages: folder, program, isDev }
  const builder = new BuildProcess(build, { timeoutMs, memoryBytes })
  onTestFinished(() => builder.close())
  return { builder, started: () => readFileSync(join(folder, 'started'), 'utf8').trim().split(' ').length }
}

const done = { done: false, problems: [] }

test('one process builds ten times in development', async () => {
  const { builder, started } = aBuildProcess('reply()')
  for (let n = 0; n < 10; n++) expect(await builder.build()).toEqual(done)
  expect(started()).toBe(1)
})

test('otherwise each build has a process of its own', async () => {
  const { builder, started } = aBuildProcess('reply()', { isDev: false })
  for (let n = 0; n < 3; n++) expect(await builder.build()).toEqual(done)
  expect(started()).toBe(3)
})

test('a process that dies in a build is told with its last words, and the next build works', async () => {
  const { builder, started } = aBuildProcess("if (isFirst()) throw new Error('No memory left'); reply()")
  await expect(builder.build()).rejects.toThrow(/The build process ended: [^]*No memory left/)
  expect(await builder.build()).toEqual(done)
  expect(started()).toBe(2)
})

test('a build that never ends is cut, and the next one works', async () => {
  const { builder } = aBuildProcess('if (isFirst()) for (;;) {} reply()', { timeoutMs: 1000 })
  await expect(builder.build()).rejects.toThrow(/timeout/)
  await expect.poll(() => builder.build().catch(String)).toEqual(done)
})

test('a process that has grown is replaced before the next build', async () => {
  const { builder, started } = aBuildProcess('reply(isFirst() ? 2000 : 1)')
  for (let n = 0; n < 3; n++) expect(await builder.build()).toEqual(done)
  expect(started()).toBe(2)
})

test('a build ends with what it is for', async () => {
  const { builder } = aBuildProcess('for (;;) {}')
  const closing = new AbortController()
  const built = builder.build(closing.signal)
  closing.abort(new Error('Tilth is stopping.'))
  await expect(built).rejects.toThrow('Tilth is stopping.')
})
