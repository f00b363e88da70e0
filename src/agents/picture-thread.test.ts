import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder } from '#test/product/fixture'
import type { PictureInput } from '#studio/pictures/picture'
import { PictureThread } from './picture-thread'

/** A thread with a program that does this with each task. */
function aThread(does: string, longestMs?: number) {
  const program = join(aFolder(), 'program.cjs')
  writeFileSync(
    program,
    `const { parentPort } = require('node:worker_threads')
    parentPort.on('message', ({ id, input: { sentence } }) => { ${does} })`,
  )
  const troubles: string[] = []
  const onTrouble = (problem: unknown): void => void troubles.push(String(problem))
  return {
    thread: new PictureThread({ program, onTrouble, ...(longestMs !== undefined && { longestMs }) }),
    troubles,
  }
}

// as much as the programs here read
const saying = (sentence: string) => ({ sentence }) as PictureInput

test('pictures that are asked for at once come back each to its caller', async () => {
  const { thread, troubles } = aThread(
    'setTimeout(() => parentPort.postMessage({ id, markup: sentence }), sentence === "slow" ? 50 : 0)',
  )
  expect(await Promise.all(['slow', 'quick'].map((name) => thread.draw(saying(name))))).toEqual([
    'slow',
    'quick',
  ])
  expect(troubles).toEqual([])
})

test('a drawing that never ends is given up, with those behind it, and the next one is drawn', async () => {
  const { thread, troubles } = aThread(
    'if (sentence === "endless") for (;;); else parentPort.postMessage({ id, markup: sentence })',
    300,
  )
  expect(await Promise.all(['endless', 'behind'].map((name) => thread.draw(saying(name))))).toEqual([
    undefined,
    undefined,
  ])
  expect(troubles).toEqual([expect.stringContaining('took too long')])
  const next = async () => await thread.draw(saying('next'))
  await expect.poll(next).toBe('next')
})

test.each([
  ['fails', `parentPort.postMessage({ id, problem: 'no such kind' })`, /no such kind/],
  ['ends its thread', 'throw new Error("out of memory")', /out of memory/],
])('a drawing that %s is no picture, and is told', async (_, does, trouble) => {
  const { thread, troubles } = aThread(does)
  expect(await thread.draw(saying('one'))).toBeUndefined()
  expect(troubles).toEqual([expect.stringMatching(trouble)])
})

test('a drawing of more than half a million characters is no picture', async () => {
  const { thread } = aThread('parentPort.postMessage({ id, markup: sentence.repeat(1000) })')
  expect(await thread.draw(saying('x'.repeat(500)))).toHaveLength(500_000)
  expect(await thread.draw(saying('x'.repeat(501)))).toBeUndefined()
})

test('what cannot be copied to the thread is no picture', async () => {
  const { thread, troubles } = aThread('')
  const input = { sentence: 'x', answer: () => {} } as unknown as PictureInput
  expect(await thread.draw(input)).toBeUndefined()
  expect(troubles).toEqual([expect.stringContaining('could not be cloned')])
})
