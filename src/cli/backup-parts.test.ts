import { expect, onTestFinished, test, vi } from 'vitest'
import { runAndPrint } from './backup-parts'

/** Returns what a command prints when its work fails, and its exit code. */
async function printedOf(problem: Error) {
  const before = process.exitCode
  const print = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => {
    process.exitCode = before
    print.mockRestore()
  })
  await runAndPrint(false, () => Promise.reject(problem))
  return { code: process.exitCode, texts: print.mock.calls.map(([text]) => text) }
}

test('a full disk is said in a sentence', async () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  expect(await printedOf(full)).toEqual({
    code: 1,
    texts: ['The disk is full. Make room, and give the same command again.\n'],
  })
})

test('a Postgres server that hangs up is said in a sentence', async () => {
  const { texts } = await printedOf(
    new Error('Client has encountered a connection error and is not queryable'),
  )
  expect(texts).toEqual([expect.stringMatching(/cannot be used: it hangs up\. .*same command again\.\n$/)])
})

test('another failure is thrown', async () => {
  const failure = new Error('a mistake of ours')
  await expect(printedOf(failure)).rejects.toBe(failure)
})
